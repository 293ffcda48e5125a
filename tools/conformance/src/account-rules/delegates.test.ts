import { decodeAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Lab } from "../lab.ts";
import { accountAt, addressOf, mintData, startingWith, tokenData, valueOf } from "./records.ts";

const { token, token2022, system, nativeMint } = programAddresses;
const delegate = addressOf(77);
const classicMint = addressOf(21);
const newMint = addressOf(22);
/** Mint bytes under an owner that is no token program. */
const foreignMint = addressOf(23);
const wallet = addressOf(24);
const absent = addressOf(99);
const method = "getTokenAccountsByDelegate";

const holder = (first: number, program: Uint8Array, data: Uint8Array, lamports = 1000n) =>
  accountAt(startingWith(first), program, data, { lamports });

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open(null);
  await lab.indexAccounts([
    accountAt(classicMint, token, mintData(100n, 2)),
    accountAt(newMint, token2022, mintData(100n, 3)),
    accountAt(foreignMint, addressOf(50), mintData(1n, 0)),
    accountAt(wallet, system, new Uint8Array(0)),
    holder(0x01, token, tokenData(classicMint, { delegate, delegatedAmount: 0n })),
    holder(0xff, token, tokenData(classicMint, { delegate, delegatedAmount: 7n, state: 2 })),
    holder(0x80, token, tokenData(classicMint, { delegate, state: 3 })),
    holder(0x14, token, tokenData(classicMint, { delegate, length: 356 })),
    holder(0x1a, token, tokenData(absent, { delegate })),
    holder(0x1b, token, tokenData(wallet, { delegate })),
    holder(0x1c, token, tokenData(nativeMint, { delegate, native: 3n, delegatedAmount: 2n })),
    // None of these counts as delegated to anyone.
    holder(0x7f, token, tokenData(classicMint, { delegate, state: 0 })),
    holder(0x10, token, tokenData(classicMint, { delegate, tag: [1, 0, 0, 1] })),
    holder(0x11, token, tokenData(classicMint, { delegate, tag: [0, 0, 0, 0] })),
    holder(0x12, token, tokenData(classicMint, { delegate, tag: [2, 0, 0, 0] })),
    holder(0x13, token, tokenData(classicMint, { delegate, length: 355 })),
    holder(0x15, token, tokenData(classicMint, { delegate, length: 170, type: 1 })),
    holder(0x16, token, tokenData(classicMint, { delegate, length: 164 })),
    holder(0x1e, addressOf(50), tokenData(classicMint, { delegate })),
    holder(0x1f, token, tokenData(classicMint, { delegate }), 0n),
    // The other program, where mints of the first and of no one can be named too.
    holder(0x17, token2022, tokenData(classicMint, { delegate, length: 166 })),
    holder(0x18, token2022, tokenData(newMint, { delegate, length: 200 })),
    holder(0x19, token2022, tokenData(foreignMint, { delegate })),
    holder(0x1d, token2022, tokenData(nativeMint, { delegate })),
  ]);
});
afterAll(() => lab.close());

/** First bytes of the listed addresses, or the refusal. */
const list = async (filter: object, config: unknown): Promise<unknown> => {
  const value = await valueOf(lab, method, [encodeAddress(delegate), filter, config]);
  if (!Array.isArray(value)) return value;
  return (value as { pubkey: string }[]).map(({ pubkey }) => decodeAddress(pubkey)[0]);
};
const byMint = (mint: Uint8Array) => ({ mint: encodeAddress(mint) });
const byProgram = (program: Uint8Array) => ({ programId: encodeAddress(program) });
const amount = (raw: string, text: string) => ({
  amount: raw,
  decimals: 9,
  uiAmount: expect.anything(),
  uiAmountString: text,
});
const slice = (offset: number, length: number | bigint) => ({ dataSlice: { offset, length } });
const base64 = { encoding: "base64" };
const parsed = { encoding: "jsonParsed" };

describe("accounts by delegate", () => {
  test.each([
    ["the classic program", byProgram(token), base64, [0x01, 0x14, 0x1a, 0x1b, 0x1c, 0x80, 0xff]],
    ["Token-2022", byProgram(token2022), base64, [0x17, 0x18, 0x19, 0x1d]],
    ["a mint, under its own program only", byMint(classicMint), base64, [0x01, 0x14, 0x80, 0xff]],
    ["a Token-2022 mint", byMint(newMint), base64, [0x18]],
    ["the native mint, which needs no account", byMint(nativeMint), base64, [0x1c]],
    ["what parses, of the classic program", byProgram(token), parsed, [0x01, 0x14, 0x1c, 0xff]],
    ["what parses, whoever owns the mint", byProgram(token2022), parsed, [0x17, 0x18, 0x19, 0x1d]],
  ])("of %s, ascending by bytes", async (_what, filter, config, expected) => {
    expect(await list(filter, config)).toEqual(expected);
  });

  test.each([
    ["a mint that is missing", byMint(absent), "-32602 Invalid param: could not find mint"],
    ["a wallet", byMint(wallet), "-32602 Invalid param: Token mint could not be unpacked"],
    ["a mint of another program", byMint(foreignMint), "-32602 Invalid param: not a Token mint"],
    ["no token program", byProgram(system), "-32602 Invalid param: unrecognized Token program id"],
  ])("of %s are refused, after the slot asked for", async (_what, filter, refusal) => {
    expect(await list(filter, base64)).toBe(refusal);
    expect(await list(filter, { minContextSlot: 11 })).toMatch(/^-32016 /);
  });

  test("show wrapped lamports with nine decimals though their mint is missing", async () => {
    const value = await valueOf(lab, method, [encodeAddress(delegate), byMint(nativeMint), parsed]);
    expect(value).toMatchObject([
      {
        account: {
          data: {
            program: "spl-token",
            parsed: {
              info: {
                isNative: true,
                tokenAmount: amount("5", "0.000000005"),
                delegatedAmount: amount("2", "0.000000002"),
                rentExemptReserve: amount("3", "0.000000003"),
              },
            },
          },
        },
      },
    ]);
  });

  test("come as base58 up to 128 bytes each, and one that is larger fails the call", async () => {
    const tooLarge = /^-32600 Encoded binary \(base 58\) data should be less than 128 bytes/;
    expect(await list(byMint(newMint), slice(0, 128))).toEqual([0x18]);
    expect(await list(byMint(newMint), slice(0, 129))).toMatch(tooLarge);
    expect(await list(byMint(classicMint), slice(37, 2n ** 64n - 1n))).toMatch(tooLarge);
    expect(await list(byMint(newMint), null)).toMatch(tooLarge);
  });
});
