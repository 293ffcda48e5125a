import type { IndexStore } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { exitCodes, print, type ProbeAnswer, startMetricsPort } from "@lamplight/server/command";
import { openOrEnd, openStoreForWriting, openWhenFree, untilStopSignal } from "@lamplight/runtime";
import { followChain, type Following, followMetrics, type Upstream } from "@lamplight/runtime/follow";
import { say } from "../output.ts";
import type { FollowFlags } from "./follow-flags.ts";

/** A `follow …` command: the flags of all of them, and what its source adds. */
export interface FollowRun {
  readonly flags: FollowFlags;
  readonly upstream: Upstream;
  /** Name of the source that is followed. */
  readonly what: string;
  /** It runs before the store is opened or created, and ends early with the signal. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  /** Whether a store that is not there yet is made; default no. */
  readonly create?: boolean;
}

/** Milliseconds between two lines of progress. */
const PROGRESS_MS = 10_000;

/** Follows until a stop signal comes. With `standby` it waits for its turn, and again when another took the store. */
export const followUntilStopped = async (run: FollowRun): Promise<number> => {
  const stopping = new AbortController();
  const stopped = untilStopSignal().then(() => stopping.abort());
  let live: Following | null = null;
  let finalizedSlot: number | null = null;
  let waiting: Waiting = "starting";
  const emitEnd = (): void => {
    print(finalizedSlot === null ? "stopped" : `stopped at finalized slot ${finalizedSlot}`);
  };
  const readiness = (): ProbeAnswer => {
    if (stopping.signal.aborted) return answerOf(false, { status: "stopping" });
    if (live === null) return answerOf(waiting === "standing by", { status: waiting });
    const { isReady, detail } = live.status();
    return answerOf(isReady, detail);
  };
  const { flags, upstream } = run;
  const { standby: callsForever } = flags;
  const metrics =
    flags.metrics === null
      ? null
      : await startMetricsPort(flags.metrics, { metrics: () => [followMetrics(live)], readiness });
  if (metrics !== null) say(`metrics: ${metrics.url}/metrics`);
  const progress = setInterval(() => {
    if (live !== null) say(live.progress());
  }, PROGRESS_MS);
  try {
    await run.prepare?.(stopping.signal);
    while (!stopping.signal.aborted) {
      const store = await openOrEnd(
        openStore(run, stopping.signal, (word) => void (waiting = word)),
        stopped,
        emitEnd,
      );
      if (store === null) break;
      const following = followChain(store, upstream, { ...flags, withSearch: false, callsForever, say });
      live = await openOrEnd(following, stopped, emitEnd);
      const from = live.finalizedSlot;
      say(`following ${run.what}${from === null ? "" : ` from slot ${from + 1}`}`);
      try {
        await Promise.race([stopped, live.ended]);
      } catch (error) {
        if (!flags.standby || !isLamplightError(error, "STORE__LOCKED")) throw error;
      } finally {
        finalizedSlot = live.finalizedSlot;
        await live.stop();
        live = null;
      }
    }
  } finally {
    clearInterval(progress);
    await metrics?.close();
  }
  emitEnd();
  return exitCodes.done;
};

/** Status of a process without a store. A standby is ready: it takes over when the writer ends. */
type Waiting = "starting" | "standing by" | "store unreachable";

const answerOf = (isReady: boolean, detail: object): ProbeAnswer => ({
  isReady,
  fullBody: JSON.stringify(detail),
});

const openStore = (
  { flags: { store, standby }, create = false }: FollowRun,
  signal: AbortSignal,
  onWaiting: (word: Waiting) => void,
): Promise<IndexStore | null> =>
  standby
    ? openWhenFree(store, {
        signal,
        create,
        onProblem: say,
        onWaiting: ({ code, message }) => {
          onWaiting(code === "STORE__UNREACHABLE" ? "store unreachable" : "standing by");
          say(`standing by: ${message}`);
        },
      })
    : openStoreForWriting(store, { create, follows: true, onProblem: say });
