/** How far a load is, in its stage. */
export interface StageState {
  /** One word, such as read or index. */
  readonly stage: string;
  /** 0 to 1; null when not known. */
  readonly share: number | null;
  /** Of this stage. */
  readonly accounts: number;
  readonly bytes: number;
  /** What `accounts` counts where it is something else, in the plural. */
  readonly unit?: string;
}

export interface StageOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface StageTeller {
  update(state: StageState): void;
  /** A line of its own, above the progress. */
  say(line: string): void;
  end(): void;
}

const TTY_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5000;
const megabyte = 1_000_000;

/** One line rewritten in place on a terminal, JSON lines elsewhere. Rates and remaining time are those of the stage. */
export const createStageTeller = (
  output: StageOutput = process.stderr,
  nowMs: () => number = () => performance.now(),
): StageTeller => {
  let stage: string | null = null;
  let startedMs = nowMs();
  let toldMs = -Infinity;
  let isLineOpen = false;
  const isTerminal = output.isTTY === true;
  const close = (): void => {
    if (isLineOpen) output.write("\r\u001B[K");
    isLineOpen = false;
  };
  return {
    update: (state) => {
      const now = nowMs();
      const isNew = state.stage !== stage;
      if (isNew) [stage, startedMs] = [state.stage, now];
      if (!isNew && now - toldMs < (isTerminal ? TTY_INTERVAL_MS : LOG_INTERVAL_MS)) return;
      toldMs = now;
      const told = measure(state, now - startedMs);
      if (!isTerminal) {
        output.write(`${JSON.stringify(entryOf(told))}\n`);
        return;
      }
      isLineOpen = true;
      output.write(`\r\u001B[K${lineOf(told)}`);
    },
    say: (line) => {
      close();
      output.write(isTerminal ? `${line}\n` : `${JSON.stringify({ event: "note", text: line })}\n`);
    },
    end: close,
  };
};

interface Told {
  readonly stage: string;
  readonly percent: number | null;
  readonly count: number;
  readonly unit: string;
  readonly perSecond: number;
  readonly megabytesPerSecond: number;
  readonly secondsLeft: number | null;
}

const measure = (
  { stage, share, accounts, bytes, unit = "accounts" }: StageState,
  elapsedMs: number,
): Told => {
  const perSecond = (count: number): number => (elapsedMs === 0 ? 0 : Math.round((1000 * count) / elapsedMs));
  const isTold = share !== null && share > 0;
  return {
    stage,
    percent: share === null ? null : Math.floor(100 * share),
    count: accounts,
    unit,
    perSecond: perSecond(accounts),
    megabytesPerSecond: perSecond(bytes / megabyte),
    secondsLeft: isTold ? Math.ceil((elapsedMs / 1000) * (1 / share - 1)) : null,
  };
};

const entryOf = ({ stage, percent, count, unit, perSecond, ...rest }: Told): object => ({
  event: "progress",
  stage,
  percent,
  [unit]: count,
  [`${unit}PerSecond`]: perSecond,
  ...rest,
});

const lineOf = (told: Told): string => {
  const percent = told.percent === null ? "" : ` ${told.percent} %`;
  const left = told.secondsLeft === null ? "" : `, ${told.secondsLeft} s left`;
  const speed = told.megabytesPerSecond === 0 ? "" : `, ${told.megabytesPerSecond} MB/s`;
  return `${told.stage}${percent}: ${told.count} ${told.unit}, ${told.perSecond}/s${speed}${left}`;
};
