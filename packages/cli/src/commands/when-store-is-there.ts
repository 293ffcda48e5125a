import { setTimeout as sleep } from "node:timers/promises";
import { isLamplightError } from "@lamplight/errors";

/** While the store is gone, it is tried again this often; what is told meanwhile waits, within the source's bounds. */
const STORE_RETRY_MS = 500;

export interface WhenStoreIsThere {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** What is left to do after the work was broken off; default: all of it, again. */
  readonly goOn?: () => Promise<void>;
}

/** A store that is gone for a while ends nothing that follows: the work is taken up until it is done, or `signal` ends it. */
export const whenStoreIsThere = async (
  work: () => Promise<void>,
  { signal, say, goOn = work }: WhenStoreIsThere,
): Promise<void> => {
  let isTold = false;
  for (let next = work; ; next = goOn) {
    try {
      await next();
      if (isTold) say("the store can be reached again");
      return;
    } catch (error) {
      if (!isLamplightError(error, "STORE__UNREACHABLE")) throw error;
      if (!isTold) say(`${error.message}; trying again until it can be`);
      isTold = true;
      await sleep(STORE_RETRY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
};
