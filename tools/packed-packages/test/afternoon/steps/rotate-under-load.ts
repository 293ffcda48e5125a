import { expect } from "vitest";
import type { Step } from "../step.ts";
import { until } from "../until.ts";

const CALLERS = 3;
const CALLS_AFTER = 10;

export const rotateUnderLoad: Step = {
  title: "a key is rotated while its owner calls, who is never refused",
  run: async (afternoon) => {
    const statuses: number[] = [];
    const over = new AbortController();
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!over.signal.aborted) statuses.push(await afternoon.callStatus("operator"));
    });
    try {
      const rotated = await afternoon.succeed("keys", "rotate", "operator", "--overlap", "1h");
      // Until the server has read its keys again, it does not know the new one.
      await until(async () => ((await afternoon.callStatus("operator", rotated)) === 200 ? true : null));
      afternoon.keys.set("operator", rotated);
      const before = statuses.length;
      await until(() => (statuses.length >= before + CALLS_AFTER ? true : null));
    } finally {
      over.abort();
      await Promise.allSettled(callers);
    }
    await Promise.all(callers);
    expect(new Set(statuses)).toEqual(new Set([200]));
  },
};
