import * as contract from "@lamplight/contract";
import { isLamplightError, type LamplightError } from "@lamplight/errors";
import { describe, expect, test } from "vitest";
import { parseExact } from "../json/parse-exact.ts";
import type { Profile } from "../profile/profile.ts";
import type { NamedParams } from "./parameter-rules.ts";
import { rulesOf } from "./parameter-rules.ts";
import { parseParams as parseBy } from "./parse-params.ts";

const parseParams = (
  method: contract.MethodName,
  received: unknown,
  profile: Profile = "spec",
): NamedParams => parseBy(rulesOf(contract, method), received, profile);

const address = "So11111111111111111111111111111111111111112";

const refusalOf = (method: contract.MethodName, text: string): LamplightError => {
  try {
    parseParams(method, parseExact(text));
  } catch (error) {
    if (isLamplightError(error)) return error;
    throw error;
  }
  return expect.unreachable(`${text} was accepted`);
};

const search = (text: string) => parseParams("searchAssets", parseExact(text));

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

  test("says where a member belongs that was given next to its object, and how long a pair is", () => {
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
      "config is another name of options",
    );
    expect(refusalOf("getLargestAccounts", "[null,null]").message).toContain("takes 0 to 1 positions, got 2");
  });

  test("says which member of a filter is of the wrong kind", () => {
    expect(refusalOf("getTokenAccountsByDelegate", `["${address}",{"mint":5}]`).message).toBe(
      "Invalid params: position 2 accountDetails.mint must be string but got the number 5",
    );
  });

  test("the filter of a delegate is one of two", () => {
    for (const filter of ["{}", '{"mint":"a","programId":"b"}', '{"owner":"a"}', "[]", '"a"'])
      expect(refusalOf("getTokenAccountsByDelegate", `["${address}",${filter}]`).message).toContain(
        "position 2 accountDetails",
      );
  });

  const mint = { mint: address };
  test.each([
    ["getAccountInfo", [address], { encodin: "base64" }, "encodin", "encoding"],
    ["getAccountInfo", [address], { encodin: null }, "encodin", "encoding"],
    ["getAccountInfo", [address], { min_context_slot: 1 }, "min_context_slot", "minContextSlot"],
    ["getAccountInfo", [address], { xyz: 1, encoding: null }, "xyz", undefined],
    ["getTokenAccountsByDelegate", [address, mint], { datSlice: { offset: 0 } }, "datSlice", "dataSlice"],
    ["getTokenSupply", [address], { comitment: "confirmed" }, "comitment", "commitment"],
    ["getTokenSupply", [address], { minContextSlot: 1 }, "minContextSlot", undefined],
    ["getLargestAccounts", [], { filtr: "circulating" }, "filtr", "filter"],
    ["getLargestAccounts", [], { sortResult: true }, "sortResult", "sortResults"],
    ["getLargestAccounts", [], { ["__proto__x"]: 1 }, "__proto__x", undefined],
  ] as const)(
    "%s %j: %j has an unknown member in the spec profile",
    (method, first, config, name, nearest) => {
      const refusal = refusalOf(method, JSON.stringify([...first, config]));
      expect(refusal.message).toBe(
        `Invalid params: position ${first.length + 1} config has an unknown member "${name}"` +
          (nearest === undefined ? "" : `; did you mean ${nearest}?`),
      );
      expect(() => parseParams(method, [...first, config], "agave")).not.toThrow();
    },
  );

  test("a misspelt member of dataSlice is named, regardless of what else the slice lacks", () => {
    for (const slice of ['{"ofset":1,"length":2}', '{"offset":1,"length":2,"ofset":0}', '{"ofset":null}'])
      expect(refusalOf("getAccountInfo", `["${address}",{"dataSlice":${slice}}]`).message).toBe(
        'Invalid params: position 2 config.dataSlice has an unknown member "ofset"; did you mean offset?',
      );
    expect(refusalOf("getAccountInfo", `["${address}",{"dataSlice":{"offset":1}}]`).message).toBe(
      "Invalid params: position 2 config.dataSlice.length is required",
    );
  });

  test("the agave profile drops unknown members of a config, and only those", () => {
    const given = { foo: null, encoding: { base64: null }, dataSlice: { offset: 1, length: 2, x: {} }, y: 1 };
    expect(parseParams("getAccountInfo", [address, given], "agave")).toEqual({
      address,
      config: { encoding: "base64", dataSlice: { offset: 1, length: 2 } },
    });
    expect(parseParams("getLargestAccounts", [{ sortResults: true, x: 1 }], "agave")).toEqual({
      config: { sortResults: true },
    });
    const wrong = { ...given, dataSlice: { offset: 1, x: 2 } };
    expect(() => parseParams("getAccountInfo", [address, wrong], "agave")).toThrow(
      "config.dataSlice.length is required",
    );
    expect(() => parseParams("getLargestAccounts", [{ sortResults: "no" }], "agave")).toThrow(
      "config.sortResults must be boolean",
    );
  });

  test("display options are strict in both profiles, null or not", () => {
    for (const value of [true, null])
      for (const profile of ["spec", "agave"] as const) {
        const options = { showFungibles: value };
        for (const [method, params] of [
          ["getAsset", { id: address, options }],
          ["searchAssets", { options }],
        ] as const)
          expect(() => parseParams(method, params, profile)).toThrow(
            'has an unknown member "showFungibles"; did you mean showFungible?',
          );
      }
  });

  test("takes 1.0 and 1e2 as the integers they are, but for slots and slices", () => {
    for (const [text, value] of [
      ["1e2", 100],
      ["1E+2", 100],
      ["100.0", 100],
      ["0.1e3", 100],
      ["10000e-2", 100],
      ["-0", 0],
      ["0e-7", 0],
      ["0.0", 0],
      ["1.8446744073709551615e19", 2n ** 64n - 1n],
      ["1e19", 10n ** 19n],
    ] as const)
      expect(search(`{"supply":${text}}`), text).toEqual({ supply: value });
    expect(search('{"limit":1e2,"page":1.0}')).toEqual({ limit: 100, page: 1 });
    expect(search(`[${"null,".repeat(20)}1e1,2.0]`)).toEqual({ limit: 10, page: 2 });
    expect(parseParams("getNftEditions", parseExact(`["${address}",2.0,1e1]`))).toEqual({
      mint: address,
      page: 2,
      limit: 10,
    });
    for (const text of ["1.50", "1e-1", "1e400", "1e99999", "1e20", `1${"0".repeat(100)}e-100`, "-1.0"])
      expect(refusalOf("searchAssets", `{"supply":${text}}`).message, text).toContain("supply must be");
    for (const text of ["1.0", "1e2", "-0"]) {
      for (const member of ["offset", "length"] as const) {
        const slice = { offset: "1", length: "1", [member]: text };
        const params = `["${address}",{"dataSlice":{"offset":${slice.offset},"length":${slice.length}}}]`;
        expect(refusalOf("getAccountInfo", params).message).toContain(`config.dataSlice.${member} must be`);
      }
      expect(refusalOf("getAsset", `{"id":"${address}","minContextSlot":${text}}`).message).toContain(
        "minContextSlot must be",
      );
      expect(
        refusalOf("getAsset", `{"id":"${address}","options":{"minContextSlot":${text}}}`).message,
      ).toContain("config.minContextSlot must be");
    }
  });

  test.each(["1", "1.0", "1e999", "-0", "9007199254740993"])(
    "names %s where an object is meant",
    (number) => {
      const reason = `must be object but got the number ${number}`;
      const slice = `["${address}",{"dataSlice":${number}}]`;
      expect(refusalOf("getAccountInfo", slice).message).toContain(`config.dataSlice ${reason}`);
      expect(refusalOf("getAsset", `["${address}",${number}]`).message).toContain(`config ${reason}`);
      for (const name of ["sortBy", "options"])
        expect(refusalOf("searchAssets", `{"${name}":${number}}`).message).toContain(`${name} ${reason}`);
    },
  );

  test("takes minContextSlot at the top of the asset methods, and inside their options", () => {
    const slot = parseExact("18446744073709551615");
    for (const method of ["getAsset", "getNftEditions", "searchAssets"] as const) {
      const own =
        method === "getAsset" ? { id: address } : method === "getNftEditions" ? { mint: address } : {};
      expect(parseParams(method, { ...own, minContextSlot: slot })).toEqual({ ...own, minContextSlot: slot });
      if (method === "getNftEditions") continue;
      const options = { minContextSlot: slot };
      const name = method === "getAsset" ? "config" : "options";
      expect(parseParams(method, { ...own, options })).toEqual({ ...own, [name]: options });
    }
  });

  test("refuses null as params by the spec, whether the method needs any or not", () => {
    for (const method of ["getLargestAccounts", "searchAssets", "getAsset"] as const)
      expect(refusalOf(method, "null").message).toBe(
        "Invalid params: params must be an array or an object but got null; leave params out where there are none",
      );
  });

  test("takes null as no params for Solana clients", () => {
    for (const method of ["getLargestAccounts", "searchAssets"] as const)
      expect(parseParams(method, null, "agave")).toEqual({});
    expect(() => parseParams("getAsset", null, "agave")).toThrow(
      expect.objectContaining({ message: refusalOf("getAsset", "[]").message }) as Error,
    );
  });

  test("refuses params that are neither list nor object, and inherited names", () => {
    expect(refusalOf("getAsset", '"x"').code).toBe("REQUEST__INVALID");
    expect(refusalOf("getAsset", `{"id":"${address}","constructor":{}}`).code).toBe("PARAM__UNKNOWN_NAME");
    expect(refusalOf("getAsset", `{"id":"${address}","__proto__":{}}`).code).toBe("PARAM__UNKNOWN_NAME");
  });

  test("names the parameter however much of it is wrong", () => {
    const members = Array.from({ length: 90_000 }, (_, index) => `"m${index}":1`).join(",");
    const ones = `[${"1,".repeat(399_999)}1]`;
    expect(refusalOf("searchAssets", `{"grouping":${ones}}`).message).toContain(
      "grouping must have exactly 2 items but got an array of 400000",
    );
    expect(refusalOf("searchAssets", `{"sortBy":${ones}}`).message).toContain("sortBy must be object");
    expect(refusalOf("getTokenAccountsByDelegate", `["${address}",{${members}}]`).message).toContain(
      "position 2 accountDetails must be an object with exactly one of mint and programId",
    );
    expect(refusalOf("searchAssets", `{"options":{${members}}}`).message).toContain(
      'options has an unknown member "m0"',
    );
    expect(refusalOf("getAsset", `{${members}}`).code).toBe("PARAM__UNKNOWN_NAME");
  });
});
