import { setTimeout as sleep } from "node:timers/promises";
import { isLamplightError, type LamplightError } from "@lamplight/errors";

/** While the store is unavailable, it is tried again this often. New events wait, within the source's bounds. */
const STORE_RETRY_MS = 500;

/** Temporary errors of a store, with their names in readiness. */
const passing = {
  STORE__UNREACHABLE: "store unreachable",
  STORE__FILE_LOCKED: "store unreachable",
  STORE__FULL: "store full",
} as const;

export type StoreProblem = LamplightError<keyof typeof passing>;

export interface WhenStoreAvailable {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** The work that is left after an interruption; default: the same work again. */
  readonly goOn?: () => Promise<void>;
  /** Called with the reason why the store rejects writes, and with null once it accepts them. */
  readonly onProblem: (problem: StoreProblem | null) => void;
}

/**
 * A store that is temporarily unavailable or full does not end following. The work is repeated until it is done, or
 * `signal` ends it.
 *
 * @returns whether it was done
 */
export const whenStoreAvailable = async (
  work: () => Promise<void>,
  { signal, say, goOn = work, onProblem }: WhenStoreAvailable,
): Promise<boolean> => {
  let isReported = false;
  for (let next = work; ; next = goOn) {
    try {
      await next();
      if (isReported) {
        onProblem(null);
        say("the store can be written again");
      }
      return true;
    } catch (error) {
      if (!isPassing(error)) throw error;
      onProblem(error);
      if (!isReported) say(`${error.message}; trying again until it can be written`);
      isReported = true;
      await sleep(STORE_RETRY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
    }
  }
};

/** The reason in readiness. No process is ready while its store rejects writes. */
export const problemWord = (problem: StoreProblem | null): (typeof passing)[keyof typeof passing] | null =>
  problem === null ? null : passing[problem.code];

export const isPassing = (error: unknown): error is StoreProblem =>
  isLamplightError(error) && Object.hasOwn(passing, error.code);
