import { expect, test } from "vitest";
import { compareValues } from "./compare-values.ts";
import { dasDifferences } from "./das-differences.ts";

const emptyLeaf = "1".repeat(32);
const proof = { root: "r", proof: ["p"], node_index: 9, leaf: emptyLeaf, tree_id: "t" };

/** Places of differences that are not decided. */
const placesOf = (ours: unknown, theirs: unknown): readonly string[] =>
  compareValues(ours, theirs)
    .filter((difference) => !dasDifferences.some(({ holds }) => holds(difference, ours)))
    .map(({ at }) => at);

test("the proof of an empty leaf is one that only other servers answer", () => {
  expect(placesOf({ id: null }, { id: proof })).toEqual([]);
  expect(placesOf({ id: null }, { id: { ...proof, leaf: "leaf" } })).toEqual(["/id"]);
  expect(placesOf({ id: { ...proof, leaf: "leaf" } }, { id: proof })).toEqual(["/id/leaf"]);
});

/** A list with one asset of an ownership model. */
const owned = (model: string, owner: string) => ({
  items: [{ ownership: { ownership_model: model, owner } }],
});

test("the owner of a fungible token is empty elsewhere; that of an NFT is not", () => {
  expect(placesOf(owned("token", "w"), owned("token", ""))).toEqual([]);
  expect(placesOf(owned("token", "w"), owned("token", "v"))).toEqual(["/items/0/ownership/owner"]);
  expect(placesOf(owned("single", "w"), owned("single", ""))).toEqual(["/items/0/ownership/owner"]);
});
