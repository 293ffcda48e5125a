import { type RoundObserver, shownRead } from "@lamplight/core";

/** Reads of a line. */
const READS_SHOWN_MAX = 20;

/** Prints the reads of a call, a line for each round, for `LOG_LEVEL=debug`. */
export const readsLogger =
  (print: (fields: object, message: string) => void, method: string): RoundObserver =>
  (reads) => {
    const shown = reads.slice(0, READS_SHOWN_MAX).map(shownRead);
    print({ method, reads: shown, count: reads.length }, "reads of a call");
    return () => {};
  };
