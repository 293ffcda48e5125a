import { printable } from "@lamplight/errors";
import type { ProgressOutput } from "./progress.ts";

/** Progress within a stage of a load. */
export interface StageState {
  /** Such as read or index. */
  readonly stage: string;
  /** 0 to 1; null when not known. */
  readonly share: number | null;
  /** The current work of a stage without a count. */
  readonly step?: string;
  /** Items counted in this stage; absent where it counts none, and has no rate. */
  readonly accounts?: number;
  readonly bytes?: number;
  /** The things that `accounts` counts, in the plural, if not accounts. */
  readonly unit?: string;
}

export interface StageReporter {
  update(state: StageState): void;
  /** A line of its own, above the progress. */
  say(line: string): void;
  end(): void;
}

const TTY_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5000;
const MEGABYTE = 1_000_000;

/**
 * One line rewritten in place on a terminal, lines of text elsewhere, JSON lines for programs. Rates and remaining time are
 * those of the stage. Every stage and step is reported when it begins, however short. In lines every stage is reported when
 * it ends, too: once its share is 1, or the next one begins.
 */
export const createStageReporter = (
  output: ProgressOutput = process.stderr,
  nowMs: () => number = () => performance.now(),
): StageReporter => {
  let last: StageState | null = null;
  let isEndReported = false;
  let startedMs = nowMs();
  let reportedMs = -Infinity;
  let isLineOpen = false;
  const isJson = output.isJson === true;
  const isTerminal = output.isTTY === true && !isJson;
  const close = (): void => {
    if (isLineOpen) output.write("\r\u001B[K");
    isLineOpen = false;
  };
  const emit = (state: StageState, now: number): void => {
    reportedMs = now;
    isEndReported = state.share === 1;
    const reported = measure(state, now - startedMs);
    if (isJson) {
      output.write(`${JSON.stringify(entryOf(reported))}\n`);
      return;
    }
    isLineOpen = isTerminal;
    output.write(isTerminal ? `\r\u001B[K${lineOf(reported)}` : `${lineOf(reported)}\n`);
  };
  return {
    update: (state) => {
      const now = nowMs();
      const isNew = state.stage !== last?.stage;
      if (isNew) {
        if (last !== null && !isEndReported && !isTerminal) emit(ended(last), now);
        [startedMs, isEndReported] = [now, false];
      }
      const isDue = now - reportedMs >= (isTerminal ? TTY_INTERVAL_MS : LOG_INTERVAL_MS);
      const isEnd = state.share === 1 && !isEndReported;
      const isReported = isNew || isEnd || isDue || state.step !== last?.step;
      last = state;
      if (isReported) emit(state, now);
    },
    say: (line) => {
      close();
      const text = printable(line);
      output.write(isJson ? `${JSON.stringify({ event: "note", text })}\n` : `${text}\n`);
    },
    end: close,
  };
};

const ended = ({ stage, accounts, bytes, unit }: StageState): StageState => ({
  stage,
  share: 1,
  ...(accounts === undefined ? {} : { accounts }),
  ...(bytes === undefined ? {} : { bytes }),
  ...(unit === undefined ? {} : { unit }),
});

interface Reported {
  readonly stage: string;
  readonly step: string | undefined;
  readonly percent: number | null;
  /** Null where nothing is counted. */
  readonly count: number | null;
  readonly unit: string;
  readonly perSecond: number;
  readonly megabytesPerSecond: number;
  readonly secondsLeft: number | null;
}

const measure = (
  { stage, step, share, accounts, bytes = 0, unit = "accounts" }: StageState,
  elapsedMs: number,
): Reported => {
  const perSecond = (count: number): number => (elapsedMs === 0 ? 0 : Math.round((1000 * count) / elapsedMs));
  const isReported = share !== null && share > 0;
  return {
    stage,
    step,
    percent: share === null ? null : Math.floor(100 * share),
    count: accounts ?? null,
    unit,
    perSecond: perSecond(accounts ?? 0),
    megabytesPerSecond: perSecond(bytes / MEGABYTE),
    secondsLeft: isReported ? Math.ceil((elapsedMs / 1000) * (1 / share - 1)) : null,
  };
};

const entryOf = (reported: Reported): object => {
  const { stage, step, percent, count, unit, perSecond, megabytesPerSecond, secondsLeft } = reported;
  return {
    event: "progress",
    stage,
    ...(step === undefined ? {} : { step }),
    percent,
    ...(count === null ? {} : { [unit]: count, [`${unit}PerSecond`]: perSecond, megabytesPerSecond }),
    secondsLeft,
  };
};

const lineOf = (reported: Reported): string => {
  const percent = reported.percent === null ? "" : ` ${reported.percent} %`;
  const step = reported.step === undefined ? "" : `: ${reported.step}`;
  if (reported.count === null) return `${reported.stage}${percent}${step}`;
  const left = reported.secondsLeft === null ? "" : `, ${reported.secondsLeft} s left`;
  const speed = reported.megabytesPerSecond === 0 ? "" : `, ${reported.megabytesPerSecond} MB/s`;
  return `${reported.stage}${percent}: ${reported.count} ${reported.unit}, ${reported.perSecond}/s${speed}${left}`;
};
