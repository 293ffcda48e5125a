import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Lab } from "../lab.ts";
import {
  accountAt,
  addressOf,
  clockAt,
  interestExtension,
  mintData,
  scaledExtension,
  tokenData,
  valueOf,
} from "./records.ts";

const { token, token2022, system, nativeMint } = programAddresses;
const bytes = Uint8Array.from({ length: 200 }, (_, index) => index);
const [wallet, plain, wrapped, closed] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];
const [interest, overflowing, scaled, holder] = [addressOf(5), addressOf(6), addressOf(8), addressOf(9)];
const wrappedData = tokenData(nativeMint, { delegate: addressOf(77), native: 3n });
const U64_MAX = 2n ** 64n - 1n;

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open(null);
  await lab.indexAccounts([
    accountAt(wallet, system, new Uint8Array(0)),
    accountAt(plain, addressOf(50), bytes),
    accountAt(wrapped, token, wrappedData),
    accountAt(closed, system, bytes, { lamports: 0n }),
    accountAt(interest, token2022, mintData(1_000_000n, 6, interestExtension(0n, 0n, 500))),
    accountAt(overflowing, token, mintData(1_000_000n, 6, interestExtension(-(2n ** 63n), 5n, 500))),
    accountAt(scaled, token2022, mintData(10n, 1, scaledExtension())),
    accountAt(
      holder,
      token2022,
      tokenData(scaled, { delegate: addressOf(77), delegatedAmount: 2n, native: 1n }),
    ),
  ]);
});
afterAll(() => lab.close());

const infoOf = (address: Uint8Array, config?: unknown, profile?: "spec" | "agave") =>
  valueOf(lab, "getAccountInfo", [encodeAddress(address), config], profile);
const dataOf = async (address: Uint8Array, config?: unknown, profile?: "spec" | "agave") => {
  const value = await infoOf(address, config, profile);
  return typeof value === "string" ? value : (value as { data: unknown }).data;
};
const upTo = (length: number) => ({ dataSlice: { offset: 0, length } });
const supplyOf = async (mint: Uint8Array) =>
  ((await valueOf(lab, "getTokenSupply", [encodeAddress(mint)])) as { uiAmountString: string })
    .uiAmountString;
const holderTexts = async () => {
  const { parsed } = (await dataOf(holder, { encoding: "jsonParsed" })) as {
    parsed: { info: Record<string, { uiAmountString?: string }> };
  };
  return ["tokenAmount", "delegatedAmount", "rentExemptReserve"].map(
    (name) => parsed.info[name]?.uiAmountString,
  );
};
const base64 = (data: Uint8Array) => [Buffer.from(data).toString("base64"), "base64"];

describe("a slice", () => {
  test.each([
    [0, 3, bytes.subarray(0, 3)],
    [198, 5, bytes.subarray(198)],
    [198, U64_MAX, bytes.subarray(198)],
    [200, 1, new Uint8Array(0)],
    [U64_MAX, U64_MAX, new Uint8Array(0)],
    [5, 0, new Uint8Array(0)],
  ])("from %d of %d bytes is clipped, in either form", async (offset, length, expected) => {
    for (const dataSlice of [{ offset, length }, [offset, length]])
      expect(await dataOf(plain, { encoding: "base64", dataSlice })).toEqual(base64(expected));
  });

  test("applies to what is not parsed, but not to accounts of the token programs", async () => {
    const config = { encoding: "jsonParsed", dataSlice: { offset: 1, length: 2 } };
    expect(await dataOf(plain, config)).toEqual(base64(bytes.subarray(1, 3)));
    // Its mint is missing: only a search by delegate takes the native mint as known.
    expect(await dataOf(wrapped, config)).toEqual(base64(wrappedData));
  });

  test("leaves `space` the whole length", async () => {
    expect(await infoOf(plain, { dataSlice: { offset: 0, length: 1 } })).toMatchObject({ space: 200 });
  });
});

describe("without an encoding", () => {
  test("Solana clients get a bare base58 string of up to 128 bytes, others base64", async () => {
    expect(typeof (await dataOf(plain, upTo(128)))).toBe("string");
    expect(await dataOf(plain, upTo(128))).not.toMatch(/^-32600/);
    expect(await dataOf(plain, upTo(129))).toMatch(/^-32600 /);
    expect(await dataOf(plain, undefined, "spec")).toEqual(base64(bytes));
    expect(await dataOf(plain, { encoding: "binary", ...upTo(1) }, "spec")).toBe("1");
  });

  test.each([
    [undefined, ""],
    [{ encoding: "base58" }, ["", "base58"]],
    [{ encoding: "base64" }, ["", "base64"]],
    [{ encoding: "base64+zstd" }, ["KLUv/SAAAQAA", "base64+zstd"]],
    [{ encoding: "jsonParsed" }, ["", "base64"]],
  ])("no data under %j is %j", async (config, expected) => {
    expect(await dataOf(wallet, config)).toEqual(expected);
  });
});

test("an account of zero lamports does not exist, in either profile's words", async () => {
  expect(await infoOf(closed)).toBeNull();
  expect((await lab.call("getAccountInfo", [encodeAddress(closed)], "spec")).text).toBe("null");
});

describe("order of checks", () => {
  test.each([
    ["x", { encoding: "bogus", minContextSlot: 11 }, /^-32602 (?!Invalid param:)/],
    ["x", { minContextSlot: 11 }, /^-32602 Invalid param: WrongSize$/],
    ["0", { minContextSlot: 11 }, /^-32602 Invalid param: Invalid$/],
    [encodeAddress(plain), { minContextSlot: 11 }, /^-32016 Minimum context slot has not been reached$/],
    [encodeAddress(plain), { minContextSlot: 10 }, /^-32600 /],
  ])("%s with %j", async (address, config, refusal) => {
    expect(await valueOf(lab, "getAccountInfo", [address, config])).toMatch(refusal);
  });
});

describe("amounts move with the clock of the slot", () => {
  test("in supplies and in all three amounts of an account; without a clock it is second 0", async () => {
    expect(await supplyOf(interest)).toBe("1");
    expect(await supplyOf(scaled)).toBe("2");
    await lab.indexAccounts([clockAt(11, 99n)]);
    expect(await holderTexts()).toEqual(["1", "0.4", "0.2"]);
    await lab.indexAccounts([clockAt(12, 31_556_736n)]);
    expect(await supplyOf(interest)).toBe("1.051271");
    expect(await supplyOf(scaled)).toBe("3");
    expect(await supplyOf(overflowing)).toBe("");
    expect(await holderTexts()).toEqual(["1.5", "0.6", "0.3"]);
  });

  test("a supply is refused for what is no mint, the native one not excepted", async () => {
    const refusals = [nativeMint, wallet, holder].map((address) =>
      valueOf(lab, "getTokenSupply", [encodeAddress(address)]),
    );
    expect(await Promise.all(refusals)).toEqual([
      "-32602 Invalid param: could not find account",
      "-32602 Invalid param: not a Token mint",
      "-32602 Invalid param: mint could not be unpacked",
    ]);
  });
});
