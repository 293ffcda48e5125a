import { MessageChannel } from "node:worker_threads";
import { LamplightError } from "@lamplight/errors";
import { afterEach, expect, test } from "vitest";
import { PortCalls, type PortHandler } from "./port-calls.ts";

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

const connect = (handlers: Readonly<Record<string, PortHandler>>) => {
  const channel = new MessageChannel();
  channels.push(channel);
  return { asking: new PortCalls(channel.port1, {}), answering: new PortCalls(channel.port2, handlers) };
};

test("answers with what the other thread returns, and keeps our errors with code, context and causes", async () => {
  const { asking } = connect({
    double: (value: number) => 2 * value,
    refuse: () => {
      const cause = new TypeError("the disk is gone", {
        cause: new LamplightError("STORE__BUSY", { limit: 4 }),
      });
      throw new LamplightError("STORE__LOADING", { retryAfterSeconds: 5 }, { cause });
    },
  });
  expect(await Promise.all([1, 2, 3].map((value) => asking.call("double", value)))).toEqual([2, 4, 6]);
  await expect(asking.call("refuse", null)).rejects.toMatchObject({
    name: "LamplightError",
    code: "STORE__LOADING",
    context: { retryAfterSeconds: 5 },
    cause: { name: "TypeError", message: "the disk is gone", cause: { code: "STORE__BUSY" } },
  });
  await expect(asking.call("other", null)).rejects.toThrow("no thread answers other");
});

test("when the other thread is gone, what was asked of it fails, and so does what is asked later", async () => {
  const { asking } = connect({ wait: () => new Promise(() => {}) });
  const asked = asking.call("wait", null);
  asking.close(new Error("it ended"));
  await expect(asked).rejects.toThrow("it ended");
  await expect(asking.call("wait", null)).rejects.toThrow("it ended");
});
