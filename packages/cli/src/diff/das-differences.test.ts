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

test("token accounts and prints may be in another order, but not others", () => {
  const [one, other] = [{ address: "one" }, { address: "other" }];
  const accounts = { token_accounts: [one, other] };
  expect(placesOf(accounts, { token_accounts: [other, one] })).toEqual([]);
  expect(placesOf({ token_accounts: [one] }, { token_accounts: [other] })).toEqual([
    "/token_accounts/0",
    "/token_accounts/other",
  ]);
  const prints = [{ edition_address: "one" }, { edition_address: "other" }];
  expect(placesOf({ editions: prints }, { editions: prints.toReversed() })).toEqual([]);
  const items = [{ id: "one" }, { id: "other" }];
  expect(placesOf({ items }, { items: items.toReversed() })).toEqual(["/items (order)"]);
});

test("burnt assets are listed here only, and move what follows them to the next page", () => {
  const [first, burnt, last, behind] = ["5", "4", "3", "2"].map((digit) => ({ id: digit.repeat(44) }));
  const ours = { items: [first, { ...burnt, burnt: true }, last] };
  expect(placesOf(ours, { items: [first, last, behind] })).toEqual([]);
  // It should be between the first one and the last one.
  expect(placesOf({ items: [first, last] }, { items: [first, burnt, last] })).toEqual([
    `/items/${burnt!.id}`,
  ]);
  expect(placesOf({ items: [first, burnt] }, { items: [first] })).toEqual(["/items/1"]);
  // Without a burnt asset, nothing moves.
  expect(placesOf({ items: [first, last] }, { items: [first, behind] })).toEqual([
    "/items/1",
    `/items/${behind!.id}`,
  ]);
});

test("fungible tokens may be listed elsewhere only", () => {
  const fungible = { id: "mint", interface: "FungibleToken" };
  expect(placesOf({ items: [] }, { items: [fungible] })).toEqual([]);
  expect(placesOf({ items: [fungible] }, { items: [] })).toEqual(["/items/0"]);
  expect(placesOf({ items: [{ ...fungible, token_info: { supply: 0 } }] }, { items: [] })).toEqual([]);
  expect(placesOf({ items: [] }, { items: [{ ...fungible, interface: "V1_NFT" }] })).toEqual(["/items/mint"]);
});
