import { parseExact } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { pageRequestOf } from "../suites/asset-calls.ts";
import { compareAnswer, strict } from "./compare-asset.ts";
import { comparePage, withoutFungibles } from "./compare-page.ts";
import { exactNumber } from "./exact-value.ts";
import { valueAt } from "./json-pointer.ts";
import { matchExpected } from "./match-expected.ts";
import { memberText } from "./member-text.ts";

describe("exactNumber", () => {
  test("distinguishes integers that doubles cannot", () => {
    const [a, b, c] = parseExact("[18446744073709551615, 499999999999995000, 1.0]") as unknown[];
    expect([exactNumber(a), exactNumber(b), exactNumber(c)]).toEqual([
      2n ** 64n - 1n,
      499_999_999_999_995_000n,
      1n,
    ]);
    expect([exactNumber(0.5), exactNumber("5"), exactNumber(null)]).toEqual([0.5, null, null]);
  });
});

describe("matchExpected", () => {
  test.each([
    [{ slot: 5 }, { $objectContaining: { slot: { $any: "BigInt" } } }, 0],
    [{ slot: 0.5 }, { $objectContaining: { slot: { $any: "BigInt" } } }, 1],
    [{ slot: 5, more: 1 }, { slot: 5 }, 1],
    [[1, 2, 3], { $arrayContaining: [3, 1] }, 0],
    [[1, 2], { $arrayContaining: [3] }, 1],
    ["1234", { $stringMatching: "/^\\d+$/" }, 0],
    ["12x4", { $stringMatching: "^\\d+$" }, 1],
    [[], { $any: "Array" }, 0],
    [1.004, { $closeTo: [1, 2] }, 0],
    [{}, { $unheardOf: 1 }, 1],
    [[1], [1, 2], 1],
    [undefined, null, 1],
  ])("finds in %j against %j %j differences", (actual, expected, count) => {
    expect(matchExpected(actual, expected)).toHaveLength(count);
  });
});

describe("memberText", () => {
  test("cuts out a member as it is written", () => {
    const text = '{"a":"}]\\"" , "value" : {"data":{"parsed":{"x":1.0,"y":["{",1e+16]},"z":2}}}';
    expect(memberText(text, ["value", "data", "parsed"])).toBe('{"x":1.0,"y":["{",1e+16]}');
    expect(memberText(text, ["value", "data", "z"])).toBe("2");
    expect(memberText(text, ["a"])).toBe('"}]\\""');
    expect(memberText(text, ["value", "nothing"])).toBeNull();
    expect(memberText("[1]", ["a"])).toBeNull();
  });
});

describe("valueAt", () => {
  test("follows members, items and escapes, and never an inherited name", () => {
    expect(valueAt({ "a/b": [{ "~": 5 }] }, "/a~1b/0/~0")).toBe(5);
    expect(valueAt({}, "/constructor")).toBeUndefined();
    expect(valueAt(7, "")).toBe(7);
  });
});

describe("compareAnswer", () => {
  test("allows documented extensions and nothing else beyond what is expected", () => {
    const actual = { id: "x", plugins: {}, compression: { flags: 1 }, ownership: { owner: "o" } };
    expect(compareAnswer(actual, { id: "x", compression: {}, ownership: { owner: "o" } })).toEqual([]);
    expect(
      compareAnswer({ ...actual, lamports: 5 }, { id: "x", compression: {}, ownership: { owner: "o" } }),
    ).toEqual(["/lamports: not expected, got 5"]);
  });

  test("compares what the specification does not name only where both have it", () => {
    const leniency = { ...strict, outsideSpec: new Set(["/plugins", "/rent_epoch"]) };
    const expected = { plugins: { a: 1 }, rent_epoch: 5 };
    expect(compareAnswer({ plugins: { a: 1 } }, expected, leniency)).toEqual([]);
    expect(compareAnswer({ plugins: { a: 2 } }, expected, leniency)).toEqual([
      "/plugins/a: expected 1, got 2",
    ]);
    expect(compareAnswer({}, { plugins: {} }, strict)).toEqual(["/plugins: expected {}, got nothing"]);
  });

  test("rounds percent, orders all arrays but the files behind the first", () => {
    expect(compareAnswer({ percent: 0.042 }, { percent: 0.042_000_000_000_000_1 })).toEqual([]);
    expect(compareAnswer({ percent: 0.042 }, { percent: 0.043 })).toHaveLength(1);
    expect(compareAnswer({ files: [1, 2, 3] }, { files: [1, 3, 2] })).toEqual([]);
    expect(compareAnswer({ files: [2, 1, 3] }, { files: [1, 3, 2] }).length).toBeGreaterThan(0);
    expect(compareAnswer({ creators: [1, 2] }, { creators: [2, 1] })).toHaveLength(2);
  });

  test("lets no authority and an unknown owner be said as decided", () => {
    const nobody = [{ address: "", scopes: ["full"] }];
    expect(compareAnswer({ authorities: [] }, { authorities: nobody })).toEqual([]);
    expect(compareAnswer({ authorities: [] }, { authorities: [{ address: "A", scopes: [] }] })).toHaveLength(
      1,
    );
    const owned = { ownership: { owner: "" } };
    expect(compareAnswer(owned, { ownership: { owner: "A" } }, { ...strict, askedOwner: "A" })).toEqual([]);
    expect(compareAnswer(owned, { ownership: { owner: "A" } })).toHaveLength(1);
  });
});

const page = (items: unknown[], total: number, more: object = {}) => ({
  total,
  limit: 2,
  page: 1,
  items,
  ...more,
});

describe("comparePage", () => {
  test("takes the exact total where the reference counts the page", () => {
    const asked = { limit: 2, page: 1, isSeek: false };
    const ours = page(["a", "b"], 9, { cursor: "opaque" });
    expect(comparePage(ours, page(["a", "b"], 2), asked, strict)).toEqual([]);
    expect(comparePage(page(["a"], 9, { cursor: "opaque" }), page(["a"], 1), asked, strict)).toEqual([
      "/total: 9 does not fit 1 items behind 0",
    ]);
    expect(comparePage(page(["a", "b"], 1), page(["a", "b"], 2), asked, strict)).toHaveLength(1);
  });

  test("expects our own defaults where the call named none", () => {
    const ours = { total: 1, limit: 100, page: 1, items: ["a"] };
    const theirs = { total: 1, limit: 1000, cursor: "a", items: ["a"] };
    const asked = { limit: null, page: null, isSeek: false };
    expect(comparePage(ours, theirs, asked, strict)).toEqual([]);
    expect(comparePage({ ...ours, limit: 1000 }, theirs, asked, strict)).toHaveLength(1);
    const { page: _page, ...pageless } = ours;
    expect(comparePage(pageless, theirs, asked, strict)).toEqual(["/page: expected 1, got nothing"]);
  });

  test("expects a cursor exactly where a page follows, however the peer pages", () => {
    const asked = { limit: 2, page: 2, isSeek: false };
    const differences = (total: number, more: object, request = asked) =>
      comparePage(
        page(["c", "d"], total, { page: 2, ...more }),
        page(["c", "d"], 2, { page: 2 }),
        request,
        strict,
      );
    expect(differences(4, {})).toEqual([]);
    expect(differences(5, { cursor: "opaque" })).toEqual([]);
    expect(differences(5, {})).toEqual(["/cursor: expected one, got nothing"]);
    expect(differences(4, { cursor: "opaque" })).toEqual(["/cursor: expected nothing where no page follows"]);
    expect(differences(5, { cursor: 7 })).toEqual(["/cursor: expected text, got 7"]);
    const seek = { limit: 2, page: null, isSeek: true };
    expect(
      comparePage({ total: 9, limit: 2, items: [], cursor: "x" }, { items: [], limit: 2 }, seek, strict),
    ).toEqual(["/cursor: expected nothing where no page follows"]);
  });

  test("expects page 1 also where the answer names a next page", () => {
    const theirs = { total: 2, limit: 2, cursor: "b", items: ["a", "b"] };
    const asked = { limit: 2, page: null, isSeek: false };
    expect(comparePage(page(["a", "b"], 9, { cursor: "opaque" }), theirs, asked, strict)).toEqual([]);
  });

  test("takes any exact total that holds the items after a before, an after or a cursor, and no page number", () => {
    const asked = { limit: 2, page: null, isSeek: true };
    const { page: _page, ...ours } = page(["y"], 9);
    const theirs = { total: 1, limit: 2, items: ["y"] };
    expect(comparePage(ours, theirs, asked, strict)).toEqual([]);
    expect(comparePage({ ...ours, items: [] }, { ...theirs, items: [] }, asked, strict)).toEqual([]);
    expect(comparePage({ ...ours, total: 0 }, theirs, asked, strict)).toEqual([
      "/total: 0 is less than 1 items",
    ]);
    expect(comparePage({ ...ours, page: 1 }, theirs, asked, strict)).toEqual([
      "/page: expected nothing, got 1",
    ]);
  });

  test("leaves fungibles out of a page on request", () => {
    const fungible = { id: "f", ownership: { ownership_model: "token" } };
    const nft = { id: "n", ownership: { ownership_model: "single" } };
    expect(withoutFungibles(page([fungible, nft], 5))).toEqual(page([nft], 4));
  });
});

describe("pageRequestOf", () => {
  test("finds the paging parameters by name and by position", () => {
    const seek = { limit: 3, page: null, isSeek: true };
    expect(pageRequestOf("searchAssets", { limit: 3, after: "a" })).toEqual(seek);
    expect(pageRequestOf("searchAssets", { limit: 3, cursor: "a" })).toEqual(seek);
    const positions = Array.from<unknown>({ length: 24 }).fill(null);
    positions[20] = 3;
    expect(pageRequestOf("searchAssets", positions)).toEqual({ ...seek, isSeek: false });
    for (const at of [22, 23]) expect(pageRequestOf("searchAssets", positions.with(at, "a"))).toEqual(seek);
    for (const at of [3, 4, 5])
      expect(pageRequestOf("getNftEditions", ["m", null, 3, null, null, null].with(at, "7"))).toEqual(seek);
    expect(pageRequestOf("getNftEditions", { mint: "m", page: 2, before: null })).toEqual({
      limit: null,
      page: 2,
      isSeek: false,
    });
  });
});
