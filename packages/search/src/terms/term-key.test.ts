import {
  askedFacts,
  type AssetFacts,
  closedCriteria,
  factCriterion,
  factDescriptions,
  matchesCriterion,
} from "@lamplight/core";
import { expect, test } from "vitest";
import { termKey, termKeysOf } from "./term-key.ts";

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
  creators: [],
  groups: [],
  inherits: null,
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

test("closed criteria fit into the bits of a safe integer", () => {
  expect(closedCriteria.length).toBeLessThanOrEqual(53);
});
