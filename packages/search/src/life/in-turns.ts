import { setImmediate } from "node:timers/promises";
import type { Slices } from "../slices.ts";

/**
 * Works through slices with a turn of the event loop for everybody else between two of them.
 *
 * @throws the reason of the signal, before the next slice
 */
export const inTurns = async <Result>(slices: Slices<Result>, signal?: AbortSignal): Promise<Result> => {
  try {
    for (;;) {
      signal?.throwIfAborted();
      const step = slices.next();
      if (step.done === true) return step.value;
      await setImmediate();
    }
  } finally {
    slices.return(undefined as Result);
  }
};
