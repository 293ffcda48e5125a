import {
  askedFacts,
  type AskedValue,
  type AssetChange,
  type AssetFacts,
  assetInterfaces,
  type AssetQuery,
  type Criterion,
  factCriterion,
  inheritable,
  INHERITED_BASIS_POINTS,
} from "@lamplight/core";
import * as fc from "fast-check";

/** Few keys, so that criteria meet assets. */
export const keyOf = (number: number): Uint8Array => new Uint8Array(32).fill(number + 1);

const key = fc.nat({ max: 5 }).map(keyOf);
const maybeKey = fc.option(key, { nil: null });

/** Ids differ in the first, a middle or the last byte. */
export const idOf = (number: number): Uint8Array => {
  const id = new Uint8Array(32).fill(7);
  id[number % 3 === 0 ? 0 : number % 3 === 1 ? 16 : 31] = (number * 37) & 255;
  id[20] = number >>> 8;
  id[21] = number & 255;
  return id;
};

/** Those of which others inherit. */
const sharers = [0, 1, 2, 3];

export const facts = (id: number): fc.Arbitrary<AssetFacts> =>
  fc.record({ id: fc.constant(idOf(id)), ...ownFacts }).map((own) => {
    if (sharers.includes(id)) return { ...own, interface: "MplCoreCollection", inherits: null };
    const takes = (fact: number): boolean => own.inherits !== null && (own.inherits.facts & fact) !== 0;
    return {
      ...own,
      authority: takes(inheritable.authority) ? null : own.authority,
      delegate: takes(inheritable.delegate) ? null : own.delegate,
      basisPoints: takes(inheritable.royalty) ? INHERITED_BASIS_POINTS : own.basisPoints,
      creators: takes(inheritable.royalty) ? [] : own.creators,
    };
  });

/** A value of each fact. */
const ownFacts = {
  inherits: fc.option(
    fc.record({ from: fc.constantFrom(...sharers).map(idOf), facts: fc.integer({ min: 1, max: 31 }) }),
    { nil: null },
  ),
  interface: fc.constantFrom(...assetInterfaces),
  ownerModel: fc.constantFrom("single" as const, "token" as const),
  assetOwner: maybeKey,
  delegate: maybeKey,
  authority: maybeKey,
  supply: fc.option(fc.bigInt({ min: 0n, max: 3n }), { nil: null }),
  supplyMint: maybeKey,
  royaltyModel: fc.constantFrom("creators" as const, "fanout" as const),
  basisPoints: fc.nat({ max: 3 }),
  creators: fc.array(
    fc.record({ address: key, verified: fc.boolean(), share: fc.constantFrom(0, 50, 100) }),
    { maxLength: 3 },
  ),
  groups: fc.array(
    fc.record({
      key: fc.constant("collection"),
      value: fc.constantFrom("A", "B", "C"),
      verified: fc.boolean(),
    }),
    { maxLength: 1 },
  ),
  compressed: fc.boolean(),
  compressible: fc.boolean(),
  frozen: fc.boolean(),
  burnt: fc.boolean(),
  mutable: fc.boolean(),
  name: fc.constantFrom("Mage #1", "mage #2", "Cat", ""),
  jsonUri: fc.constantFrom("https://a", "https://b", ""),
  tree: maybeKey,
  leafIndex: fc.option(fc.nat({ max: 3 }), { nil: null }),
  createdSlot: fc.nat({ max: 8 }),
  updatedSlot: fc.nat({ max: 8 }),
} satisfies { readonly [Fact in Exclude<keyof AssetFacts, "id">]: fc.Arbitrary<AssetFacts[Fact]> };

const factCriteria: fc.Arbitrary<Criterion> = fc.constantFrom(...askedFacts).chain((fact) => {
  const values: fc.Arbitrary<AskedValue | null> = ownFacts[fact];
  return values.filter((value) => value !== null).map((value) => factCriterion(fact, value));
});

const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  { arbitrary: factCriteria, weight: askedFacts.length },
  fc.record({
    kind: fc.constant("owner" as const),
    owner: key,
    ownerModel: fc.constantFrom("single" as const, "token" as const, null),
    includeZero: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("creator" as const),
    creator: key,
    verified: fc.constantFrom(true, false, null),
  }),
  fc.record({ kind: fc.constant("creatorVerified" as const), verified: fc.boolean() }),
  fc.record({
    kind: fc.constant("group" as const),
    key: fc.constant("collection"),
    value: fc.constantFrom("A", "B", "D"),
    includeUnverified: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("royaltyTarget" as const), target: key }),
  fc.record({
    kind: fc.constant("tokenType" as const),
    tokenType: fc.constantFrom(
      "fungible" as const,
      "nonFungible" as const,
      "regularNft" as const,
      "compressedNft" as const,
      "all" as const,
    ),
  }),
  fc.record({ kind: fc.constant("name" as const), name: fc.constantFrom("mage", "CAT", "x") }),
  fc.constant({ kind: "nothing" as const }),
);

/** At most one name criterion, as the parameters allow. */
export const criteria = fc
  .array(criterion, { maxLength: 4 })
  .map((all) =>
    all.filter(
      (one, index) => one.kind !== "name" || all.findIndex((other) => other.kind === "name") === index,
    ),
  );

export const queryShape: fc.Arbitrary<Omit<AssetQuery, "start">> = fc.record({
  criteria,
  match: fc.constantFrom("all" as const, "any" as const),
  negate: fc.boolean(),
  sort: fc.constantFrom("id" as const, "created" as const, "updated" as const, "none" as const),
  direction: fc.constantFrom("asc" as const, "desc" as const),
  limit: fc.integer({ min: 1, max: 9 }),
});

/** Batches of changes over up to `assets` ordinals: inserts, updates and removals. */
export const history = (
  assets: number,
): fc.Arbitrary<readonly (readonly Omit<AssetChange, "changeSeq">[])[]> =>
  fc.array(
    fc.array(
      fc.nat({ max: assets - 1 }).chain((ordinal) =>
        fc.record({
          ordinal: fc.constant(ordinal),
          facts: fc.option(facts(ordinal), { nil: null, freq: 8 }),
        }),
      ),
      { maxLength: 40 },
    ),
    { minLength: 1, maxLength: 6 },
  );
