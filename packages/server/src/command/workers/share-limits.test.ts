import { expect, test } from "vitest";
import { defaultLimits, type Limits } from "../../limits.ts";
import { shareLimits } from "./share-limits.ts";

/** What all callers spend together. */
const shared = [
  "owedBytes",
  "waitingRequests",
  "compressions",
  "bodiesBytes",
  "callQueue",
  "readViews",
  "readViewsPerKey",
  "viewQueue",
  "wrongKeys",
] as const satisfies readonly (keyof Limits)[];

test("the shares of all workers are the whole, and what is of one request stays", () => {
  const share = shareLimits(defaultLimits, 2);
  for (const name of shared) expect([name, share[name]]).toEqual([name, defaultLimits[name] / 2]);
  const changed = (Object.keys(share) as (keyof Limits)[]).filter(
    (name) => share[name] !== defaultLimits[name],
  );
  expect(changed.toSorted()).toEqual([...shared, "wrongKeyDelayMs"].toSorted());
  expect(share.wrongKeyDelayMs).toBe(2 * defaultLimits.wrongKeyDelayMs);
});

test("never more than the whole, where that is enough for every worker", () => {
  for (const workers of [3, 7]) {
    const share = shareLimits(defaultLimits, workers);
    for (const name of shared)
      if (defaultLimits[name] >= workers)
        expect(share[name] * workers).toBeLessThanOrEqual(defaultLimits[name]);
  }
});

test("every worker can do everything, however many there are", () => {
  const share = shareLimits(defaultLimits, 256);
  for (const name of shared) expect([name, share[name] >= 1]).toEqual([name, true]);
  // A batch must leave a view to single calls.
  expect(share.readViews).toBe(2);
});
