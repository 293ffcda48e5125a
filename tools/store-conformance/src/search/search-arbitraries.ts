import {
  askedFacts,
  type AskedValue,
  type Asset,
  type AssetQuery,
  assetInterfaces,
  type Criterion,
  factCriterion,
  inheritable,
  type Inheritance,
  INHERITED_BASIS_POINTS,
  type PageStart,
  type SortKey,
} from "@lamplight/core";
import * as fc from "fast-check";
import { addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";

// Everything is drawn from small pools, so that criteria match some assets, several at once, and miss others.
export const assetNames: readonly number[] = Array.from({ length: 40 }, (_, index) => index);
const from = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const pool = (name: string, size: number): fc.Arbitrary<Uint8Array> =>
  fc.nat({ max: size - 1 }).map((index) => addressOf(`${name} ${index}`));

const people: fc.Arbitrary<Uint8Array> = pool("person", 5);
/** Mints are asset ids: what is held is an asset. */
const mints: fc.Arbitrary<Uint8Array> = fc.nat({ max: 12 }).map((index) => assetOf(index).id);
const trees = pool("tree", 2);
/** Text that would change a statement it were written into. */
const injections = ["') OR 1=1 --", "'; DROP TABLE asset; --"];

const groupKeys = from("collection", "Collection", "other", ...injections);
const groupValues = from("A", "a", "B", "", ...injections);
const supplies = from(0n, 1n, 2n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n);
const basisPoints = from(0, 1, 500, 65_535);
const jsonUris = from("", "a", "A", "https://example.com/é.json", ...injections);
const names = from(
  "",
  "Lamp",
  "LAMP light",
  "Übung",
  "ÜBUNG 2",
  "a_b%c",
  "'quote\"",
  "x\u0000y",
  "🏮 Laterne",
  "İstanbul",
  ...injections,
);
const namePieces = from(
  "",
  "lamp",
  "ÜBUNG",
  "%",
  "_",
  "'",
  "\u0000",
  "🏮",
  "zzz",
  "p L",
  "i̇s",
  ...injections,
);
const ownerModels = from("single" as const, "token" as const);
const royaltyModels = from("creators" as const, "fanout" as const, "single" as const);
const slots = from(0, 1, 2, 3, 2 ** 53 - 1);
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);

/** Assets that others inherit from. */
const sharers = [0, 1, 2, 39];

const parts = {
  interface: from(...assetInterfaces),
  ownerModel: ownerModels,
  assetOwner: orNull(people),
  delegate: orNull(people),
  authority: orNull(people),
  supply: orNull(supplies),
  royaltyModel: royaltyModels,
  basisPoints,
  creators: fc.array(fc.record({ address: people, verified: fc.boolean(), share: from(0, 1, 100) }), {
    maxLength: 3,
  }),
  groups: fc.array(fc.record({ key: groupKeys, value: groupValues, verified: fc.boolean() }), {
    maxLength: 2,
  }),
  compressed: fc.boolean(),
  compressible: fc.boolean(),
  frozen: fc.boolean(),
  burnt: fc.boolean(),
  mutable: fc.boolean(),
  name: names,
  jsonUri: jsonUris,
  tree: orNull(trees),
  leafIndex: orNull(from(0, 1, 2 ** 32 - 1)),
  createdSlot: slots,
  updatedSlot: slots,
};

export const assets: fc.Arbitrary<Asset> = fc
  .record({
    which: from(...assetNames),
    parts: fc.record(parts),
    isToken: fc.boolean(),
    inherits: orNull(
      fc.record({
        from: from(...sharers).map((which) => assetOf(which).id),
        facts: fc.integer({ min: 1, max: 31 }),
      }),
    ),
  })
  .map(({ which, parts: own, isToken, inherits }) => {
    const { id } = assetOf(which);
    const supplyMint = isToken ? id : null;
    if (sharers.includes(which))
      return assetOf(which, { ...own, supplyMint, interface: "MplCoreCollection" });
    return assetOf(which, { ...own, supplyMint, ...withoutInherited(own, inherits) });
  });

/** Inherited facts are not among an asset's own. */
const withoutInherited = (
  {
    authority,
    delegate,
    basisPoints: points,
    creators,
    frozen,
  }: Pick<Asset, "authority" | "delegate" | "basisPoints" | "creators" | "frozen">,
  inherits: Inheritance | null,
): Partial<Asset> => {
  const takes = (fact: number): boolean => inherits !== null && (inherits.facts & fact) !== 0;
  return {
    inherits,
    authority: takes(inheritable.authority) ? null : authority,
    delegate: takes(inheritable.delegate) ? null : delegate,
    basisPoints: takes(inheritable.royalty) ? INHERITED_BASIS_POINTS : points,
    creators: takes(inheritable.royalty) ? [] : creators,
    frozen,
  };
};

/** Owners with the amounts that they hold of each mint. */
export const holdings: fc.Arbitrary<{
  readonly which: number;
  readonly owner: Uint8Array;
  readonly mint: Uint8Array;
  readonly amount: bigint;
}> = fc.record({
  which: fc.nat({ max: 12 }),
  owner: people,
  mint: mints,
  amount: from(0n, 1n, 2n ** 64n - 1n),
});

const verifieds = fc.boolean();

const factCriteria: fc.Arbitrary<Criterion> = fc.constantFrom(...askedFacts).chain((fact) => {
  const values: fc.Arbitrary<AskedValue | null> = { ...parts, supplyMint: mints }[fact];
  return values.filter((value) => value !== null).map((value) => factCriterion(fact, value));
});

export const criteria: fc.Arbitrary<Criterion> = fc.oneof(
  { arbitrary: factCriteria, weight: askedFacts.length },
  fc.record({
    kind: fc.constant("owner" as const),
    owner: people,
    ownerModel: orNull(ownerModels),
    includeZero: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("creator" as const), creator: people, verified: orNull(verifieds) }),
  fc.record({ kind: fc.constant("creatorVerified" as const), verified: verifieds }),
  fc.record({
    kind: fc.constant("group" as const),
    key: groupKeys,
    value: groupValues,
    includeUnverified: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("royaltyTarget" as const), target: people }),
  fc.record({
    kind: fc.constant("tokenType" as const),
    tokenType: from(
      "fungible" as const,
      "nonFungible" as const,
      "regularNft" as const,
      "compressedNft" as const,
      "all" as const,
    ),
  }),
  fc.record({ kind: fc.constant("name" as const), name: namePieces }),
  fc.record({
    kind: fc.constant("inherits" as const),
    from: from(0, 1, 39).map((which) => assetOf(which).id),
    fact: from(...Object.values(inheritable)),
  }),
  fc.constant({ kind: "nothing" as const }),
);

const starts: fc.Arbitrary<PageStart> = fc.oneof(
  fc.record({ kind: fc.constant("page" as const), page: from(1, 2, 3, 1000) }),
  fc.record({ kind: fc.constant("offset" as const), offset: from(0, 1, 3, 10, 1000) }),
  fc.record({
    kind: from("after" as const, "before" as const),
    id: from(...assetNames).map((which) => assetOf(which).id),
  }),
);

const sorts: fc.Arbitrary<SortKey> = from("id", "created", "updated", "none");

export const queries: fc.Arbitrary<AssetQuery> = fc.record({
  criteria: fc.array(criteria, { maxLength: 4 }),
  match: from("all" as const, "any" as const),
  negate: fc.boolean(),
  sort: sorts,
  direction: from("asc" as const, "desc" as const),
  start: starts,
  limit: from(1, 2, 7, 1000),
});
