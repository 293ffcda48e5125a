/** One thing that is checked; counted once. */
export interface Case {
  /** Topic first, then the case, as globs see it: `editions/get_nft_editions`. */
  readonly name: string;
  /** @returns what is wrong; empty = passed. A throw is a failure too. */
  readonly run: () => Promise<readonly string[]>;
}

/** The cases of one folder. */
export interface Suite {
  readonly cases: readonly Case[];
  /** Called after the last case, in every case. */
  readonly close: () => Promise<void>;
}

export interface Outcome {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  /** The faults of a case, or the reason why it is skipped. */
  readonly reasons: readonly string[];
  readonly durationMs: number;
}

/**
 * Expectations of a suite that a decision overrules. A case that meets it is run all the same, and skipped when
 * everything that is wrong with it is what the decision changes: with other faults it fails, and without any it passes.
 */
export interface Overruling {
  readonly suite: string;
  /** Glob over case names. */
  readonly cases: string;
  /** The changes of the decision, as they appear in the list of differences. */
  readonly differences: readonly RegExp[];
  readonly reason: string;
}
