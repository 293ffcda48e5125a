import type { Against, ServedWork } from "./served-work.ts";

/** One measured figure. Machines differ, so what counts is a ratio within one run, next to its budget. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The limit that the value should keep; none = for information. */
  readonly budget?: Budget;
}

export type Budget = { readonly atLeast: number } | { readonly atMost: number };

export interface Bench {
  readonly name: string;
  /** A description of what is measured, and against what. */
  readonly about: string;
  /** Measures; `say` is for progress. */
  run(say: (line: string) => void): Promise<readonly Figure[]>;
  /** Requests for the servers of two builds with `--against`. */
  served?(say: (line: string) => void): Promise<readonly ServedWork[]>;
  /** The same where more than requests is compared. */
  against?(against: Against, say: (line: string) => void): Promise<readonly Figure[]>;
}

/** Thrown where a measurement failed because the machine had too little time for it. The message says what failed. */
export class TooBusyError extends Error {}

/** The figures of a bench, or the sentence that says why it could not measure. */
export type BenchOutcome = { readonly figures: readonly Figure[] } | { readonly tooBusy: string };

/** Runs a bench. Errors that the machine's load does not explain pass through. */
export const runBench = async (bench: Bench, say: (line: string) => void): Promise<BenchOutcome> => {
  try {
    const figures = await bench.run(say);
    const missing = figures.filter(({ value }) => !Number.isFinite(value));
    if (missing.length === 0) return { figures };
    throw new TooBusyError(`no value for ${missing.map(({ name }) => `"${name}"`).join(", ")}`);
  } catch (error) {
    if (!(error instanceof TooBusyError)) throw error;
    return {
      tooBusy: `${bench.name} was not measured, this machine is too busy: ${error.message}. Run it again with less other load`,
    };
  }
};

/** Whether a figure keeps its budget; null when it has none. */
export const keepsBudget = ({ value, budget }: Figure): boolean | null => {
  if (budget === undefined) return null;
  return "atLeast" in budget ? value >= budget.atLeast : value <= budget.atMost;
};

/** The middle of several runs; NaN of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The value below which a share (0 to 1) of all lie; NaN of none. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Microseconds of each call of `action`, after a warm-up of a tenth. */
export const timesOf = async (runs: number, action: (run: number) => unknown): Promise<number[]> => {
  for (let run = 0; run < runs / 10; run++) await action(run);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = process.hrtime.bigint();
    const result = action(run);
    if (result instanceof Promise) await result;
    times.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  return times;
};

/**
 * As `timesOf` for several actions in turn, run by run; the times of each, in the order of the actions. The action that
 * comes first changes, since the second finds in the caches what the first has read.
 */
export const interleavedTimes = async (
  runs: number,
  actions: readonly ((run: number) => unknown)[],
): Promise<readonly (readonly number[])[]> => {
  const times = actions.map((): number[] => []);
  for (let run = -Math.ceil(runs / 10); run < runs; run++)
    for (let turn = 0; turn < actions.length; turn++) {
      const index = (turn + Math.abs(run)) % actions.length;
      const start = process.hrtime.bigint();
      const result = actions[index]!(Math.abs(run));
      if (result instanceof Promise) await result;
      if (run >= 0) times[index]!.push(Number(process.hrtime.bigint() - start) / 1000);
    }
  return times;
};
