import type { IndexStore } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { exitCodes, openOrEnd, openStoreForWriting, untilStopSignal } from "@lamplight/server/command";
import { type MetricsAddress, startMetrics } from "./follow-metrics.ts";
import type { Following } from "./following.ts";
import { openWhenFree } from "./open-when-free.ts";

/** What every `follow …` does around its source. */
export interface FollowRun {
  /** URL of the store. */
  readonly store: string;
  /** Waits while another process writes the store, instead of refusing. */
  readonly standby: boolean;
  /** Null = none are served. */
  readonly metrics: MetricsAddress | null;
  /** What is followed, for people. */
  readonly what: string;
  /** Begins to follow into the store, which it closes when it is stopped or cannot begin. */
  readonly start: (store: IndexStore) => Promise<Following>;
  /** Whether a store that is not there yet is made; default no. */
  readonly create?: boolean;
}

/** Between two lines of progress. */
const PROGRESS_MS = 10_000;

/** Follows until a stop signal comes. With `standby` it waits for its turn, and again when another took the store. */
export const followUntilStopped = async (run: FollowRun): Promise<number> => {
  const stopping = new AbortController();
  const stopped = untilStopSignal().then(() => stopping.abort());
  let live: Following | null = null;
  let rootedSlot: number | null = null;
  const tellEnd = (): void => {
    process.stdout.write(rootedSlot === null ? "stopped\n" : `stopped at rooted slot ${rootedSlot}\n`);
  };
  const metrics = run.metrics === null ? null : await startMetrics(() => live, run.metrics);
  if (metrics !== null) say(`metrics: ${metrics.url}/metrics`);
  const progress = setInterval(() => {
    if (live !== null) say(live.progress());
  }, PROGRESS_MS);
  try {
    while (!stopping.signal.aborted) {
      const store = await openOrEnd(openStore(run, stopping.signal), stopped, tellEnd);
      if (store === null) break;
      live = await openOrEnd(run.start(store), stopped, tellEnd);
      const from = live.rootedSlot;
      say(`following ${run.what}${from === null ? "" : ` from slot ${from + 1}`}`);
      try {
        await Promise.race([stopped, live.ended]);
      } catch (error) {
        if (!run.standby || !isLamplightError(error, "STORE__LOCKED")) throw error;
      } finally {
        rootedSlot = live.rootedSlot;
        await live.stop();
        live = null;
      }
    }
  } finally {
    clearInterval(progress);
    await metrics?.close();
  }
  tellEnd();
  return exitCodes.done;
};

const openStore = (run: FollowRun, signal: AbortSignal): Promise<IndexStore | null> =>
  run.standby
    ? openWhenFree(run.store, {
        signal,
        create: run.create ?? false,
        onProblem: say,
        onWaiting: ({ message }) => say(`standing by: ${message}`),
      })
    : openStoreForWriting(run.store, { create: run.create ?? false, follows: true, onProblem: say });

/** Progress goes to stderr, the result to stdout. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
