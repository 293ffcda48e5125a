import { methods } from "@lamplight/contract";
import { isLamplightError } from "@lamplight/errors";
import { decodeAddress } from "@lamplight/codecs";
import { describe, expect, test } from "vitest";
import { askedFacts } from "../domain/fact-criteria.ts";
import { parseSearchQuery } from "./search-query.ts";

const address = "So11111111111111111111111111111111111111112";
const bytes = decodeAddress(address);

const parameterRefused = (params: Parameters<typeof parseSearchQuery>[0]): string => {
  try {
    parseSearchQuery(params);
  } catch (error) {
    if (isLamplightError(error, "PARAM__INVALID"))
      return `${error.context.parameter} ${error.context.reason}`;
    throw error;
  }
  return expect.unreachable("was accepted");
};

/** Kinds of criteria; none where a value does not suit its parameter. */
const kindsOf = (params: object): string[] => {
  try {
    return parseSearchQuery(params).criteria.map(({ kind }) => kind);
  } catch {
    return [];
  }
};

describe("parseSearchQuery", () => {
  test("without parameters asks for the first hundred, by id, falling", () => {
    expect(parseSearchQuery({})).toEqual({
      criteria: [],
      match: "all",
      negate: false,
      sort: "id",
      direction: "desc",
      start: { kind: "page", page: 1 },
      limit: 100,
    });
  });

  test("companions make one criterion: owner with its model, creator with its flag", () => {
    const { criteria } = parseSearchQuery({
      ownerAddress: address,
      ownerType: "token",
      creatorAddress: address,
      creatorVerified: false,
      options: { showZeroBalance: true },
    });
    expect(criteria).toEqual([
      { kind: "owner", owner: bytes, ownerModel: "token", includeZero: true },
      { kind: "creator", creator: bytes, verified: false },
    ]);
    expect(parseSearchQuery({ ownerType: "single" }).criteria).toEqual([
      { kind: "ownerModel", value: "single" },
    ]);
    expect(parseSearchQuery({ creatorVerified: true }).criteria).toEqual([
      { kind: "creatorVerified", verified: true },
    ]);
  });

  test("each described fact is what some parameter asks for", () => {
    const asked = methods.searchAssets.params.flatMap(({ name }) =>
      [1, address].flatMap((value) => kindsOf({ [name]: value })),
    );
    expect(askedFacts.filter((fact) => !asked.includes(fact))).toEqual([]);
  });

  test("a value no asset can have matches nothing, without an error", () => {
    expect(parseSearchQuery({ royaltyAmount: 70_000 }).criteria).toEqual([{ kind: "nothing" }]);
    const jsonUri = `https://example.com/${"x".repeat(100_000)}`;
    expect(parseSearchQuery({ jsonUri }).criteria).toEqual([{ kind: "jsonUri", value: jsonUri }]);
    expect(parseSearchQuery({ grouping: ["family", "Tern"] }).criteria).toMatchObject([
      { kind: "group", key: "family", value: "Tern" },
    ]);
  });

  test("reads token types in any letter case and in the reference's spellings", () => {
    for (const [text, tokenType] of [
      ["Fungible", "fungible"],
      ["NONFUNGIBLE", "nonFungible"],
      ["Nft", "regularNft"],
      ["Compressed", "compressedNft"],
      ["all", "all"],
    ] as const)
      expect(parseSearchQuery({ tokenType: text }).criteria).toEqual([{ kind: "tokenType", tokenType }]);
    expect(parameterRefused({ tokenType: "card" })).toContain("tokenType must be fungible");
  });

  test.each([0, 9_007_199_254_741, Number.MAX_SAFE_INTEGER])("names the pages that there are: %i", (page) => {
    expect(parameterRefused({ page })).toContain("page must be 1 to 9007199254740");
  });

  test("refuses two starts of a page, a name without an owner, and broken addresses, by name", () => {
    expect(parameterRefused({ page: 1, cursor: "x" })).toContain("cursor cannot be combined with page");
    expect(parameterRefused({ before: address, after: address })).toContain(
      "after cannot be combined with before",
    );
    expect(parameterRefused({ name: "mage" })).toBe("name needs ownerAddress");
    expect(parameterRefused({ tree: "0" })).toContain("tree is not base58");
    for (const key of ["collection", "group"])
      expect(parameterRefused({ grouping: [key, "not base58"] })).toContain("grouping.1 is not base58");
    expect(parameterRefused({ authorityAddress: "1" })).toContain(
      "authorityAddress is not the base58 text of 32 bytes",
    );
  });

  test("recent_action is another word for updated", () => {
    expect(parseSearchQuery({ sortBy: { sortBy: "recent_action", sortDirection: "asc" } })).toMatchObject({
      sort: "updated",
      direction: "asc",
    });
  });
});
