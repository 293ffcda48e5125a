import { describe, expect, test } from "vitest";
import type { MintView } from "../amount/mint-view.ts";
import { parseSplToken } from "./spl-token.ts";

const mint: MintView = { decimals: 1, interestBearing: null, scaled: null };

/** A token account of 5 raw units: option tags of delegate, native and close authority, and what follows them. */
const tokenAccount = (tags: readonly [number, number, number], delegatedAmount: number): Uint8Array => {
  const data = new Uint8Array(165);
  data[64] = 5;
  data[72] = tags[0];
  data.fill(3, 76, 108);
  data[108] = 1;
  data[109] = tags[1];
  data[113] = 7;
  data[121] = delegatedAmount;
  data[129] = tags[2];
  data.fill(4, 133, 165);
  return data;
};
const infoOf = (data: Uint8Array): Readonly<Record<string, unknown>> =>
  (parseSplToken(data, { mint, unixTimestamp: 0n }) as { info: Record<string, unknown> }).info;

describe("optional members of a token account", () => {
  test("are left out without their tag, regardless of the bytes behind it", () => {
    const info = infoOf(tokenAccount([0, 0, 0], 9));
    expect(info).toMatchObject({ isNative: false });
    for (const name of ["delegate", "delegatedAmount", "rentExemptReserve", "closeAuthority", "extensions"])
      expect(info[name]).toBeUndefined();
  });

  test("are there with it, a delegated amount of zero too", () => {
    expect(infoOf(tokenAccount([1, 1, 1], 0))).toMatchObject({
      isNative: true,
      delegate: expect.any(String),
      delegatedAmount: { amount: "0", uiAmountString: "0" },
      rentExemptReserve: { amount: "7", uiAmountString: "0.7" },
      closeAuthority: expect.any(String),
    });
  });

  test.each([
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 255],
  ] as const)("with the tags %d, %d, %d make it unparseable", (...tags) => {
    expect(parseSplToken(tokenAccount(tags, 0), { mint, unixTimestamp: 0n })).toBeNull();
  });
});

test("a token account without its mint is not shown", () => {
  expect(parseSplToken(tokenAccount([1, 0, 0], 0), { mint: null, unixTimestamp: 0n })).toBeNull();
});
