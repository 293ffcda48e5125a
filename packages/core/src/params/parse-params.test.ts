import { isLamplightError, type LamplightError } from "@lamplight/errors";
import { describe, expect, test } from "vitest";
import { parseExact } from "../json/parse-exact.ts";
import { parseParams } from "./parse-params.ts";

const address = "So11111111111111111111111111111111111111112";

const refusalOf = (method: Parameters<typeof parseParams>[0], text: string): LamplightError => {
  try {
    parseParams(method, parseExact(text));
  } catch (error) {
    if (isLamplightError(error)) return error;
    throw error;
  }
  return expect.unreachable(`${text} was accepted`);
};

describe("parseParams", () => {
  test("takes positions, names and the names other clients send", () => {
    expect(parseParams("getAsset", [address, { showFungible: true }])).toEqual({
      id: address,
      config: { showFungible: true },
    });
    for (const name of ["config", "options", "displayOptions"])
      expect(parseParams("getAsset", { id: address, [name]: { showFungible: true } })).toEqual({
        id: address,
        config: { showFungible: true },
      });
    expect(parseParams("getNftEditions", { mintAddress: address })).toEqual({ mint: address });
    expect(parseParams("searchAssets", { delegate: address })).toEqual({ delegateAddress: address });
  });

  test("null and left-out positions are not used", () => {
    expect(parseParams("getNftEditions", [address, null, 5])).toEqual({ mint: address, limit: 5 });
    expect(parseParams("getLargestAccounts", null)).toEqual({});
    expect(parseParams("getLargestAccounts", undefined)).toEqual({});
    expect(parseParams("getAccountInfo", [address, { encoding: null }])).toEqual({ address, config: {} });
  });

  test("unfolds the forms only Agave's own parser knows", () => {
    expect(
      parseParams("getAccountInfo", [address, { encoding: { base64: null }, dataSlice: [1, 2] }]),
    ).toEqual({
      address,
      config: { encoding: "base64", dataSlice: { offset: 1, length: 2 } },
    });
    expect(parseParams("getTokenSupply", [address, ["confirmed"]])).toEqual({
      pubKey: address,
      config: { commitment: "confirmed" },
    });
  });

  test("keeps u64 exact and refuses what only looks like one", () => {
    const most = parseExact(`["${address}",{"minContextSlot":18446744073709551615}]`);
    expect(parseParams("getAccountInfo", most)).toEqual({
      address,
      config: { minContextSlot: 18_446_744_073_709_551_615n },
    });
    for (const number of ["18446744073709551616", "-1", "1.0", "1e2", '"1"', "true"])
      expect(refusalOf("getAccountInfo", `["${address}",{"minContextSlot":${number}}]`).message).toContain(
        "position 2 config.minContextSlot must be an integer from 0 to 18446744073709551615",
      );
  });

  test("takes every u64 however a double would hold it, and repeats little of what it refuses", () => {
    for (const slot of ["1000000000000000000", "9007199254740992", "18446744073709551615"])
      expect(parseParams("getAccountInfo", parseExact(`["${address}",{"minContextSlot":${slot}}]`))).toEqual({
        address,
        config: { minContextSlot: BigInt(slot) },
      });
    const { message } = refusalOf("searchAssets", `{"limit":${"9".repeat(100_000)}}`);
    expect(message).toBe(`Invalid params: limit must be integer but got the number ${"9".repeat(40)}`);
  });

  test("says where a value one position off belongs: the widely copied sample of 24 values", () => {
    const nulls = Array.from({ length: 17 }, () => "null").join(",");
    const sample = `["${"null"}",${nulls},{"sortBy":"created","sortDirection":"asc"},10,1,"","",""]`.replace(
      '"null"',
      "null",
    );
    const refusal = refusalOf("searchAssets", sample);
    expect(refusal.message).toBe(
      "Invalid params: position 19 burnt must be boolean but got an object with sortBy and sortDirection; sortBy is position 20",
    );
    expect(refusal.context).toMatchObject({ parameter: "burnt", position: 19 });
  });

  test("names the nearest known word, member and parameter", () => {
    expect(refusalOf("searchAssets", '{"ownerAdress":"x"}').message).toContain("did you mean ownerAddress?");
    expect(refusalOf("searchAssets", '[null,"every"]').message).toContain("must be one of all, any");
    expect(refusalOf("getAccountInfo", `["${address}",{"commitment":"finalised"}]`).message).toContain(
      "did you mean finalized?",
    );
    expect(refusalOf("getAsset", `["${address}",{"showFungibles":true}]`).message).toContain(
      "did you mean showFungible?",
    );
  });

  test("says where a member belongs that was given beside its object, and how long a pair is", () => {
    expect(refusalOf("getLargestAccounts", '{"filter":"circulating"}').message).toContain(
      "did you mean config.filter?",
    );
    for (const [given, meant] of [
      ["showFungible", "options.showFungible"],
      ["showfungibles", "options.showFungible"],
      ["sortDirection", "sortBy.sortDirection"],
      ["displayOption", "displayOptions"],
      ["sortby", "sortBy"],
    ])
      expect(refusalOf("searchAssets", `{"${given}":true}`).message).toBe(
        `Invalid params: unknown name "${given}"; did you mean ${meant}?`,
      );
    expect(refusalOf("searchAssets", '{"grouping":["collection"]}').message).toContain(
      "grouping must have exactly 2 items but got an array of 1",
    );
  });

  test("names a missing parameter, a repeated one, and a list that is too long", () => {
    expect(refusalOf("getAsset", "[]").message).toBe("Invalid params: position 1 id is required");
    expect(refusalOf("getAsset", "{}").message).toBe("Invalid params: id is required");
    expect(refusalOf("getAsset", `{"id":"${address}","options":{},"config":{}}`).message).toContain(
      "config says the same as options",
    );
    expect(refusalOf("getLargestAccounts", "[null,null]").message).toContain("takes 0 to 1 positions, got 2");
  });

  test("says which member of a filter is of the wrong kind", () => {
    expect(refusalOf("getTokenAccountsByDelegate", `["${address}",{"mint":5}]`).message).toBe(
      "Invalid params: position 2 accountDetails.mint must be string but got the number 5",
    );
  });

  test("the filter of a delegate is one of two, and unknown config members of account methods are ignored", () => {
    for (const filter of ["{}", '{"mint":"a","programId":"b"}', '{"owner":"a"}', "[]", '"a"'])
      expect(refusalOf("getTokenAccountsByDelegate", `["${address}",${filter}]`).message).toContain(
        "position 2 accountDetails",
      );
    expect(parseParams("getAccountInfo", [address, { foo: 1 }])).toEqual({ address, config: { foo: 1 } });
  });

  test("refuses params that are neither list nor object, and inherited names", () => {
    expect(refusalOf("getAsset", '"x"').code).toBe("REQUEST__INVALID");
    expect(refusalOf("getAsset", `{"id":"${address}","constructor":{}}`).code).toBe("PARAM__UNKNOWN_NAME");
    expect(refusalOf("getAsset", `{"id":"${address}","__proto__":{}}`).code).toBe("PARAM__UNKNOWN_NAME");
  });
});
