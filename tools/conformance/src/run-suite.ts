import { compileGlobs } from "./glob.ts";
import type { Case, Outcome, Overruling, Suite } from "./outcome.ts";

export interface RunOptions {
  readonly suite: string;
  /** Only cases with such names; null = all. */
  readonly only: string | null;
  readonly overruled: readonly Overruling[];
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Differences shown of one case; the rest is counted. */
const REASONS_LIMIT = 8;

/** Runs the cases one after another, and closes the suite in every case. */
export const runSuite = async (suite: Suite, options: RunOptions): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  try {
    const isWanted = options.only === null ? () => true : compileGlobs(options.only);
    const rulings: readonly CompiledRuling[] = options.overruled
      .filter((ruling) => ruling.suite === options.suite)
      .map((ruling) => ({ ...ruling, covers: compileGlobs(ruling.cases) }));
    for (const item of suite.cases) {
      if (!isWanted(item.name)) continue;
      const outcome = shortened(judge(await runCase(item), rulings));
      outcomes.push(outcome);
      options.onOutcome(outcome);
    }
  } finally {
    await suite.close();
  }
  return outcomes;
};

interface CompiledRuling extends Overruling {
  readonly covers: (name: string) => boolean;
}

const judge = (outcome: Outcome, rulings: readonly CompiledRuling[]): Outcome => {
  if (outcome.status !== "failed") return outcome;
  const ruling = rulings.find(
    ({ covers, differences }) =>
      covers(outcome.name) &&
      outcome.reasons.every((reason) => differences.some((difference) => difference.test(reason))),
  );
  if (ruling === undefined) return outcome;
  return { ...outcome, status: "skipped", reasons: [ruling.reason] };
};

const runCase = async ({ name, run }: Case): Promise<Outcome> => {
  const startedAt = performance.now();
  let reasons: readonly string[];
  try {
    reasons = await run();
  } catch (error) {
    reasons = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
  return {
    name,
    status: reasons.length === 0 ? "passed" : "failed",
    reasons,
    durationMs: Math.round(performance.now() - startedAt),
  };
};

const shortened = (outcome: Outcome): Outcome => {
  const hidden = outcome.reasons.length - REASONS_LIMIT;
  if (hidden <= 0) return outcome;
  return { ...outcome, reasons: [...outcome.reasons.slice(0, REASONS_LIMIT), `and ${hidden} more`] };
};
