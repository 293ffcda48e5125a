import type { AddressBytes } from "./address.ts";
import { AddressSet } from "./address-map.ts";
import { type AssetFacts, inheritable, type AssetInterface } from "./asset.ts";
import { descriptionOf, type FactCriterion, factCriterion, isFactCriterion } from "./fact-criteria.ts";
import { matchesCriterion } from "./matches-criterion.ts";
import type { AssetQuery, Criterion } from "./search.ts";

/** Only its assets are inherited from. */
export const sharingInterface: AssetInterface = "MplCoreCollection";

/**
 * A criterion on a fact that assets may inherit: met by those that meet `own` themselves, and by those that inherit the
 * fact from a collection whose own facts meet `shared`.
 */
export interface InheritedForm {
  readonly own: Criterion;
  readonly shared: Criterion;
  /** The bit of `inheritable`. */
  readonly fact: number;
  /** The criterion is met by all others. */
  readonly negate: boolean;
}

/** Null for a criterion on facts that are always an asset's own. */
export const inheritedForm = (criterion: Criterion): InheritedForm | null => {
  if (isFactCriterion(criterion)) return formOfFact(criterion);
  switch (criterion.kind) {
    case "creator":
    case "creatorVerified":
    case "royaltyTarget":
      return formOf(criterion, inheritable.royalty);
    default:
      return null;
  }
};

const formOfFact = (criterion: FactCriterion): InheritedForm | null => {
  const { inherited } = descriptionOf(criterion);
  if (inherited === null) return null;
  // A flag is set where the asset has it or its collection does. It is not set everywhere else.
  const negate = criterion.value === false;
  const own = negate ? factCriterion(criterion.kind, true) : criterion;
  const shared = inherited.from === own.kind ? own : factCriterion(inherited.from, own.value);
  return { own, shared, fact: inherited.fact, negate };
};

const formOf = (own: Criterion, fact: number): InheritedForm => ({ own, shared: own, fact, negate: false });

/** Whether an asset inherits the fact of a form from this collection. */
export const meetsByInheritance = (
  { fact, shared }: InheritedForm,
  { inherits }: AssetFacts,
  collection: AssetFacts | null,
): boolean =>
  inherits !== null && (inherits.facts & fact) !== 0 && collection !== null && isSharer(collection, shared);

const isSharer = (collection: AssetFacts, shared: Criterion): boolean =>
  collection.interface === sharingInterface && matchesCriterion(shared, collection);

/**
 * The collections that meet a form in a query.
 *
 * @param stored - those that do in the store
 */
export const sharersOf = (
  { shared }: InheritedForm,
  { shared: changed = [] }: Pick<AssetQuery, "shared">,
  stored: readonly AddressBytes[],
): readonly AddressBytes[] => {
  if (changed.length === 0) return stored;
  const hidden = new AddressSet();
  for (const { id } of changed) hidden.add(id);
  return [
    ...stored.filter((id) => !hidden.has(id)),
    ...changed.flatMap(({ id, facts }) => (facts !== null && isSharer(facts, shared) ? [id] : [])),
  ];
};
