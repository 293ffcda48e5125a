import { expect, test } from "vitest";
import { type AssetFacts, inheritable } from "./asset.ts";
import { closedCriteria, matchesCriterion, termKey, termKeysOf } from "./criteria.ts";
import type { Criterion } from "./search.ts";
import { askedFacts, factCriterion, factDescriptions } from "./fact-criteria.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** Every fact has a value. */
const facts: AssetFacts = {
  id: key(1),
  interface: "V1_NFT",
  ownerModel: "single",
  assetOwner: key(2),
  delegate: key(3),
  authority: key(4),
  supply: 7n,
  supplyMint: key(5),
  royaltyModel: "creators",
  basisPoints: 500,
  creators: [
    { address: key(7), verified: true, share: 0 },
    { address: key(8), verified: false, share: 100 },
  ],
  groups: [
    { key: "collection", value: "a", verified: true },
    { key: "group", value: "b", verified: false },
  ],
  inherits: { from: key(9), facts: inheritable.royalty | inheritable.frozen },
  compressed: true,
  compressible: false,
  frozen: false,
  burnt: false,
  mutable: true,
  name: "name",
  jsonUri: "https://example.com/1",
  tree: key(6),
  leafIndex: 8,
  createdSlot: 9,
  updatedSlot: 10,
};

const criterionOf = (fact: (typeof askedFacts)[number]) => factCriterion(fact, facts[fact]!);

test.each(askedFacts)("an asset meets the criterion of its own %s", (fact) => {
  expect(matchesCriterion(criterionOf(fact), facts)).toBe(true);
});

test.each(askedFacts.filter((fact) => factDescriptions[fact].isOpen))(
  "termKeysOf lists the term of %s, whose terms are not all kept",
  (fact) => {
    expect(termKeysOf(facts)).toContain(termKey(criterionOf(fact)));
  },
);

/** Each kind that is kept as a term and is no plain fact has criteria that are met, and one that is almost met. */
const criteria: readonly (readonly [met: readonly Criterion[], unmet: Criterion])[] = [
  [
    [
      { kind: "creator", creator: key(7), verified: true },
      { kind: "creator", creator: key(7), verified: null },
      { kind: "creator", creator: key(8), verified: false },
    ],
    { kind: "creator", creator: key(8), verified: true },
  ],
  [[{ kind: "royaltyTarget", target: key(8) }], { kind: "royaltyTarget", target: key(7) }],
  [
    [
      { kind: "group", key: "collection", value: "a", includeUnverified: false },
      { kind: "group", key: "collection", value: "a", includeUnverified: true },
      { kind: "group", key: "group", value: "b", includeUnverified: true },
    ],
    { kind: "group", key: "group", value: "b", includeUnverified: false },
  ],
  [
    [{ kind: "owner", owner: key(2), ownerModel: "single", includeZero: false }],
    { kind: "owner", owner: key(3), ownerModel: "single", includeZero: false },
  ],
  [
    [
      { kind: "inherits", from: key(9), fact: inheritable.royalty },
      { kind: "inherits", from: key(9), fact: inheritable.frozen },
    ],
    { kind: "inherits", from: key(9), fact: inheritable.authority },
  ],
];

test.each(criteria)("terms of an asset are exactly the criteria that it meets: %o", (met, unmet) => {
  const keys = termKeysOf(facts);
  for (const criterion of met) {
    expect(matchesCriterion(criterion, facts)).toBe(true);
    expect(keys).toContain(termKey(criterion));
  }
  expect(matchesCriterion(unmet, facts)).toBe(false);
  expect(keys).not.toContain(termKey(unmet));
});

test("closed criteria fit into the bits of a safe integer", () => {
  expect(closedCriteria.length).toBeLessThanOrEqual(53);
});
