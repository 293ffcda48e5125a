import { describe, expect, test } from "vitest";
import { sleep, startDeadline, unlessAborted } from "./deadline.ts";

const never = new Promise<never>(() => {});

describe("startDeadline", () => {
  test("aborts with a TimeoutError", async () => {
    const deadline = startDeadline({ timeoutMs: 1 });
    await expect(unlessAborted(never, deadline.signal)).rejects.toMatchObject({ name: "TimeoutError" });
    deadline.end();
  });

  test("aborts with the reason of the caller's signal", async () => {
    const controller = new AbortController();
    const deadline = startDeadline({ signal: controller.signal });
    const waiting = unlessAborted(never, deadline.signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    deadline.end();
  });

  test("is aborted at once by a signal that already is", async () => {
    const deadline = startDeadline({ signal: AbortSignal.abort(new Error("too late")) });
    await expect(unlessAborted(Promise.resolve(1), deadline.signal)).rejects.toThrow("too late");
    deadline.end();
  });

  test("does not fire once it has ended", () => {
    const controller = new AbortController();
    const deadline = startDeadline({ signal: controller.signal, timeoutMs: Number.POSITIVE_INFINITY });
    deadline.end();
    controller.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});

describe("sleep", () => {
  test("ends by itself", async () => {
    await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  test("is woken by the signal", async () => {
    const controller = new AbortController();
    const sleeping = sleep(2 ** 30, controller.signal);
    controller.abort(new Error("wake up"));
    await expect(sleeping).rejects.toThrow("wake up");
  });
});
