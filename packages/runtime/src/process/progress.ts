/** Progress of a long task: bytes of files, accounts of a chain. */
export interface ProgressState {
  readonly done: number;
  readonly total: number;
  /** The counted items, for example accounts. */
  readonly count: number;
}

export interface ProgressOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** JSON lines, for programs. */
  readonly isJson?: boolean;
}

export interface Progress {
  update(state: ProgressState): void;
  /** Clears what `update` left on a terminal. */
  end(): void;
}

/** A terminal line may change this often. */
const TTY_INTERVAL_MS = 100;
/** The pause between two lines in a log. A load of a second logs none. */
const LOG_INTERVAL_MS = 5000;

/**
 * Reports how far a load is: one line rewritten in place on a terminal, lines of text elsewhere, JSON lines for programs.
 * Rate and remaining time are those of the whole run so far.
 *
 * @param unit - what `count` counts, in the plural
 * @param nowMs - a clock in milliseconds
 */
export const createProgress = (
  unit: string,
  output: ProgressOutput = process.stderr,
  nowMs: () => number = () => performance.now(),
): Progress => {
  const startedMs = nowMs();
  let reportedMs = startedMs;
  let isLineOpen = false;
  const interval = output.isTTY === true ? TTY_INTERVAL_MS : LOG_INTERVAL_MS;
  return {
    update: (state) => {
      const now = nowMs();
      if (now - reportedMs < interval) return;
      reportedMs = now;
      const reported = measure(state, now - startedMs);
      if (output.isJson === true) {
        output.write(`${JSON.stringify({ event: "progress", [unit]: state.count, ...reported })}\n`);
        return;
      }
      const { perSecond, percent, secondsLeft } = reported;
      const line = `${state.count} ${unit}, ${percent} %, ${perSecond}/s, ${secondsLeft ?? "?"} s left`;
      isLineOpen = output.isTTY === true;
      output.write(isLineOpen ? `\r\u001B[K${line}` : `${line}\n`);
    },
    end: () => {
      if (isLineOpen) output.write("\r\u001B[K");
      isLineOpen = false;
    },
  };
};

interface Measured {
  readonly percent: number;
  readonly perSecond: number;
  /** Null while nothing is done that the rate could be computed from. */
  readonly secondsLeft: number | null;
}

const measure = ({ done, total, count }: ProgressState, elapsedMs: number): Measured => ({
  percent: total === 0 ? 100 : Math.floor((100 * done) / total),
  perSecond: elapsedMs === 0 ? 0 : Math.round((1000 * count) / elapsedMs),
  secondsLeft: done === 0 ? null : Math.ceil(((elapsedMs / done) * (total - done)) / 1000),
});
