import type { IndexStore } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { DerivationRules, RuleBook } from "../rules/rules.ts";
import { derivations as ownDerivations, type Derivations, ruleBookOf } from "./derivations.ts";

/** The rules by which a writer derives the assets of one store. */
export interface ActiveRules {
  /** The rules of the rows that answer. */
  readonly rules: RuleBook;
  /** The rules of the next set; null = none is derived. */
  readonly next: DerivationRules | null;
}

type DerivedStore = Pick<IndexStore, "nextSet" | "readDerivation">;

export interface DerivationOptions {
  /** Default: the rules of this version. */
  readonly derivations?: Derivations;
  /** Whether a store of the version before gets a next set. Without it, its own rules go on. Default yes. */
  readonly derives?: boolean;
}

/**
 * The rules that a store needs. Begins the next set of a store of older rules, and removes a set that this writer would
 * not keep up to date.
 *
 * @throws LamplightError `STORE__OTHER_RULES` where this version does not know the rules of the store, or the store has
 * older ones and cannot keep a next set
 */
export const openRules = async (
  store: DerivedStore,
  options: DerivationOptions = {},
): Promise<ActiveRules> => {
  const { derivations: { current, previous } = ownDerivations, derives = true } = options;
  const { version: found } = await store.readDerivation();
  const known = store.nextSet === undefined ? [current] : [current, previous];
  const rules = known.find((one) => one?.version === found);
  if (rules === undefined || rules === null)
    throw new LamplightError("STORE__OTHER_RULES", {
      found,
      known: current.version,
      keepsNextSet: store.nextSet !== undefined,
    });
  const next = rules !== current && derives ? current : null;
  await beginNext(store, next);
  return { rules: ruleBookOf(rules), next };
};

/** Begins the set of these rules, or goes on with it; null = there is to be none. */
export const beginNext = async (store: DerivedStore, next: DerivationRules | null): Promise<void> => {
  const version = next?.version ?? null;
  const known = (await store.readDerivation()).next?.version ?? null;
  if (known !== version) await store.nextSet?.begin(version);
};
