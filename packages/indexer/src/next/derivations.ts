import { ruleBook } from "../programs/programs.ts";
import type { DerivationRules, RuleBook } from "../rules/rules.ts";

/** The rules of this version, and those that it replaces. */
export interface Derivations {
  readonly current: DerivationRules;
  /** Keeps the rows of a store of the version before up to date until the next set is complete; null = none is kept. */
  readonly previous: DerivationRules | null;
}

/**
 * A change of rules makes `previous` the rules as they were, and raises `DERIVATION`. The next change replaces them. Null
 * where they cannot be kept: then a store of the version before is not written until it is derived again.
 */
export const derivations: Derivations = { current: ruleBook, previous: null };

export const ruleBookOf = (rules: DerivationRules): RuleBook => ({ ...ruleBook, ...rules });
