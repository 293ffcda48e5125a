import type { Limits } from "../../limits.ts";

/**
 * Limits that all callers share. Each worker gets its part of them, but at least this much. Connections are not among
 * them: all workers count those together.
 */
const shared = {
  owedBytes: 1,
  waitingRequests: 1,
  compressions: 1,
  bodiesBytes: 1,
  callQueue: 1,
  // Batches hold all but one.
  readViews: 2,
  readViewsPerKey: 1,
  viewQueue: 1,
  wrongKeys: 1,
} as const satisfies Partial<Record<keyof Limits, number>>;

/**
 * The limits of one worker of several: the sum of all is the whole, where that is enough for every worker. Limits of a
 * connection, a request or an event loop stay as they are.
 */
export const shareLimits = (limits: Limits, workers: number): Limits => {
  const names = Object.keys(shared) as (keyof typeof shared)[];
  const share = names.map((name) => {
    const least = Math.min(shared[name], limits[name]);
    return [name, Math.max(least, Math.floor(limits[name] / workers))] as const;
  });
  return {
    ...limits,
    ...(Object.fromEntries(share) as Record<keyof typeof shared, number>),
    // Wrong keys are checked one after another: in each worker so much more slowly that together they are as slow.
    wrongKeyDelayMs: limits.wrongKeyDelayMs * workers,
  };
};
