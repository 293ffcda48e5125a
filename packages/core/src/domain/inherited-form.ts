import type { AddressBytes } from "./address.ts";
import { AddressSet } from "./address-map.ts";
import type { AssetFacts, AssetInterface } from "./asset.ts";
import { descriptionOf, matchesCriterion } from "./criteria.ts";
import { factCriterion, isFactCriterion } from "./fact-criteria.ts";
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
  const { inherited } = descriptionOf(criterion);
  if (inherited === null) return null;
  const { fact, from } = inherited;
  if (!isFactCriterion(criterion)) return { own: criterion, shared: criterion, fact, negate: false };
  // A flag is set where the asset has it or its collection does. It is not set everywhere else.
  const negate = criterion.value === false;
  const own = negate ? factCriterion(criterion.kind, true) : criterion;
  return { own, shared: from === null ? own : factCriterion(from, own.value), fact, negate };
};

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
