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

/** Runs the cases one after another, and closes the suite whatever comes. */
export const runSuite = async (suite: Suite, options: RunOptions): Promise<readonly Outcome[]> => {
  const isWanted = options.only === null ? () => true : compileGlobs(options.only);
  const rulings = options.overruled
    .filter((ruling) => ruling.suite === options.suite)
    .map((ruling) => ({ ...ruling, covers: compileGlobs(ruling.cases) }));
  const outcomes: Outcome[] = [];
  try {
    for (const item of suite.cases) {
      if (!isWanted(item.name)) continue;
      const ruling = rulings.find(({ covers }) => covers(item.name));
      const outcome: Outcome =
        ruling === undefined
          ? await runCase(item)
          : {
              name: item.name,
              status: "skipped",
              reasons: [`decision ${ruling.decision}: ${ruling.reason}`],
              durationMs: 0,
            };
      outcomes.push(outcome);
      options.onOutcome(outcome);
    }
  } finally {
    await suite.close();
  }
  return outcomes;
};

const runCase = async ({ name, run }: Case): Promise<Outcome> => {
  const startedAt = performance.now();
  let reasons: readonly string[];
  try {
    reasons = await run();
  } catch (error) {
    reasons = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
  const hidden = reasons.length - REASONS_LIMIT;
  return {
    name,
    status: reasons.length === 0 ? "passed" : "failed",
    reasons: hidden > 0 ? [...reasons.slice(0, REASONS_LIMIT), `and ${hidden} more`] : reasons,
    durationMs: Math.round(performance.now() - startedAt),
  };
};
