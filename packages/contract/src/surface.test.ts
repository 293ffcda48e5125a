import { describe, expect, test } from "vitest";
import * as contract from "./index.ts";

describe("the public surface", () => {
  test("is what callers were promised", () => {
    expect(Object.keys(contract).toSorted()).toEqual([
      "contractDocument",
      "documentText",
      "matchesParameter",
      "methodChecks",
      "methods",
      "parseDocument",
      "validators",
    ]);
  });
});

describe("contractDocument", () => {
  test("writes every number of its examples back as it was", () => {
    expect(JSON.stringify(contract.contractDocument)).toBe(contract.documentText);
    expect(contract.documentText).toContain("18446744073709551615");
  });
});

describe("validators", () => {
  test("accept what is right and name what is wrong", () => {
    expect(contract.validators.getAsset({ id: "a", config: { showFungible: true } })).toEqual([]);
    expect(contract.validators.getAsset({ id: 1 })).toMatchObject([{ path: ["id"], keyword: "type" }]);
    expect(contract.validators.searchAssets({ sortBy: { sortBy: "age" } })).toMatchObject([
      { path: ["sortBy", "sortBy"], keyword: "enum" },
    ]);
  });

  test("stop at the first fault", () => {
    const grouping = Array.from({ length: 1000 }, () => 1);
    expect(contract.validators.searchAssets({ grouping })).toHaveLength(1);
    const members = Object.fromEntries(grouping.map((value, index) => [`m${index}`, value]));
    expect(contract.validators.searchAssets({ options: members })).toHaveLength(1);
    // One fault of each form, and the verdict on the choice.
    expect(
      contract.validators.getTokenAccountsByDelegate({ address: "a", accountDetails: members }),
    ).toHaveLength(3);
  });

  test("bound a u64 at both ends", () => {
    for (const supply of [0, 0n, 2 ** 53 - 1, 2n ** 64n - 1n])
      expect(contract.validators.searchAssets({ supply })).toEqual([]);
    for (const supply of [-1, -1n, 2n ** 64n, 1.5, 2 ** 53, "1"])
      expect(contract.validators.searchAssets({ supply })).toMatchObject([{ keyword: "uint64" }]);
  });
});

describe("matchesParameter", () => {
  test("judges a value alone", () => {
    expect(contract.matchesParameter("searchAssets", "burnt", true)).toBe(true);
    expect(contract.matchesParameter("searchAssets", "burnt", {})).toBe(false);
    expect(contract.matchesParameter("searchAssets", "nothing", true)).toBe(false);
  });
});
