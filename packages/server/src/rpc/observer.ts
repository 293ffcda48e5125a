import type { Outcome } from "../observe/outcome.ts";

/** One finished call, as metrics and logs receive it. */
export interface CallReport {
  /** Wire name; `null` for what never named a known method. */
  readonly method: string | null;
  readonly durationMs: number;
  /** `failed` also where our time limit ended it. */
  readonly outcome: Outcome;
  /** Registry name of the error; `null` for a result, and where the caller left. */
  readonly error: string | null;
  /** Size of the result: characters of a text, bytes of an answer that is kept as bytes; 0 for anything else. */
  readonly bytes: number;
}

export type CallObserver = (report: CallReport) => void;
