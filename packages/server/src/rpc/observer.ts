import type { Log } from "../log/log.ts";

/** One finished call, as metrics and logs receive it. */
export interface CallReport {
  /** Wire name; `null` for what never named a known method. */
  readonly method: string | null;
  readonly durationMs: number;
  /** Registry name of the error; `null` for a result. */
  readonly error: string | null;
  /** Size of the result: characters of a text, bytes of an answer that is kept as bytes; 0 for an error. */
  readonly bytes: number;
}

export type CallObserver = (report: CallReport) => void;

/** Writes a line for each call slower than `slowCallMs`, and nothing for the others. */
export const slowCallObserver =
  (log: Log, slowCallMs: number): CallObserver =>
  ({ method, durationMs, error }) => {
    if (durationMs >= slowCallMs)
      log.warn({ method, durationMs: Math.round(durationMs), error }, "slow call");
  };
