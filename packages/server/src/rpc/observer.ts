import type { Log } from "../log/log.ts";

/** One finished call, as metrics and logs receive it. */
export interface CallReport {
  /** Wire name; `null` for what never named a known method. */
  readonly method: string | null;
  readonly durationMs: number;
  /** Registry name of the error; `null` for a result. */
  readonly error: string | null;
}

export type CallObserver = (report: CallReport) => void;

/** Writes a line for each call slower than `slowCallMs`, and nothing for the others. */
export const slowCallObserver =
  (log: Log, slowCallMs: number): CallObserver =>
  (report) => {
    if (report.durationMs >= slowCallMs)
      log.warn({ ...report, durationMs: Math.round(report.durationMs) }, "slow call");
  };
