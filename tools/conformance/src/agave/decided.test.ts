import { describe, expect, test } from "vitest";
import { decisionFor } from "./decided.ts";
import { call } from "./requests/request.ts";

const request = call("parsed", "getAccountInfo", ["a"], { readsClock: true });
const answer = (amount: string, digits: string, decimals = 0): string =>
  `{"result":{"amount":"7","decimals":${decimals},"uiAmount":${amount},"uiAmountString":"${digits}"},"id":1}`;
const theirs = answer("8.005649765309318e+20", "800564976530931843072");
const newest = { major: 4, minor: 4 };
const explained = (ours: string, more: Partial<typeof request> = {}): string | undefined =>
  decisionFor({ request: { ...request, ...more }, ours, theirs }, newest)?.name;

test("interest may differ by the last bit of a double", () => {
  expect(explained(answer("8.005649765309317e+20", "800564976530931712000"))).toBe(
    "the last bit of interest",
  );
});

test.each([
  ["in more of the number", answer("8.005649765309307e+20", "800564976530930712000")],
  ["in the text", answer("8.005649765309318e+20", "800564976530930712000")],
  ["in anything else", answer("8.005649765309317e+20", "800564976530931712000", 1)],
  ["in that the amount is missing", '{"result":{"amount":"7","decimals":0},"id":1}'],
])("but not %s", (_, ours) => {
  expect(explained(ours)).toBe(undefined);
});

test("and not where no clock is read", () => {
  const ours = answer("8.005649765309317e+20", "800564976530931712000");
  expect(explained(ours, { readsClock: false })).toBe(undefined);
});

const mint = (extensions: string): string =>
  `{"result":{"info":{"decimals":6,${extensions}"freezeAuthority":null,"supply":"1"}},"id":1}`;

describe("a mint with extension 28", () => {
  const permission = '{"extension":"permissionedBurnConfig","state":{"authority":null}}';
  const metadata =
    '{"extension":"tokenMetadata","state":{"additionalMetadata":[["a","b"]],"name":"],\\"freezeAuthority\\""}}';
  const ours = mint(`"extensions":[${metadata},${permission}],`);
  const differs = (answered: string, minor: number): string | undefined =>
    decisionFor({ request, ours, theirs: answered }, { major: 4, minor })?.name;

  test("has no extensions in the answers of a validator before 4.2", () => {
    expect(differs(mint(""), 1)).toBe("mint extension 28");
    expect(differs(mint(`"extensions":[${metadata}],`), 1)).toBe(undefined);
    expect(differs(mint("").replace('"1"', '"2"'), 1)).toBe(undefined);
  });

  test("is answered in full from 4.2 on", () => {
    for (const minor of [2, 4]) expect(differs(mint(""), minor)).toBe(undefined);
  });

  test("and no other mint may lack its extensions", () => {
    const other = { request, ours: mint(`"extensions":[${metadata}],`), theirs: mint("") };
    expect(decisionFor(other, { major: 4, minor: 1 })).toBe(null);
  });
});
