import { sameBytes } from "@lamplight/codecs";
import type { AssetFacts, Creator, Group } from "./asset.ts";
import type { Criterion } from "./search.ts";

/** A criterion that asks for an item in a list of the asset. Each list is a table of a store (`columns/list-columns.ts`). */
export type ListCriterion = Extract<
  Criterion,
  { readonly kind: "creator" | "creatorVerified" | "royaltyTarget" | "group" }
>;

/** A fact of an item: equal to a value, or a number above one. */
type ItemTest<Item> =
  | { readonly fact: keyof Item; readonly equals: Uint8Array | string | boolean }
  | { readonly fact: keyof Item; readonly above: number };

/** Items that pass every test. An asset that has one meets the criterion. */
export type AskedItems =
  | { readonly list: "creators"; readonly tests: readonly ItemTest<Creator>[] }
  | { readonly list: "groups"; readonly tests: readonly ItemTest<Group>[] };

type Asked = {
  readonly [Kind in ListCriterion["kind"]]: (
    criterion: Extract<ListCriterion, { readonly kind: Kind }>,
  ) => AskedItems;
};

const asked: Asked = {
  creator: ({ creator, verified }) => ({
    list: "creators",
    tests: [
      { fact: "address", equals: creator },
      ...(verified === null ? [] : [{ fact: "verified", equals: verified } as const]),
    ],
  }),
  creatorVerified: ({ verified }) => ({ list: "creators", tests: [{ fact: "verified", equals: verified }] }),
  royaltyTarget: ({ target }) => ({
    list: "creators",
    tests: [
      { fact: "address", equals: target },
      { fact: "share", above: 0 },
    ],
  }),
  group: ({ key, value, includeUnverified }) => ({
    list: "groups",
    tests: [
      { fact: "key", equals: key },
      { fact: "value", equals: value },
      ...(includeUnverified ? [] : [{ fact: "verified", equals: true } as const]),
    ],
  }),
};

export const isListCriterion = (criterion: Criterion): criterion is ListCriterion => criterion.kind in asked;

/** The items that a criterion asks for. */
export const askedItems = (criterion: ListCriterion): AskedItems =>
  (asked[criterion.kind] as (one: ListCriterion) => AskedItems)(criterion);

/** Whether a list of the asset has an item that the criterion asks for. */
export const hasItem = (
  criterion: ListCriterion,
  facts: Pick<AssetFacts, "creators" | "groups">,
): boolean => {
  const items = askedItems(criterion);
  return items.list === "creators"
    ? facts.creators.some((item) => items.tests.every((test) => passes(test, item)))
    : facts.groups.some((item) => items.tests.every((test) => passes(test, item)));
};

const passes = <Item extends Creator | Group>(test: ItemTest<Item>, item: Item): boolean => {
  const value = item[test.fact];
  if ("above" in test) return Number(value) > test.above;
  return value instanceof Uint8Array
    ? test.equals instanceof Uint8Array && sameBytes(value, test.equals)
    : value === test.equals;
};
