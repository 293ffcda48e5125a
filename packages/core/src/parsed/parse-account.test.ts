import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { decodeAddress, programAddressTexts, sysvarAddressTexts } from "@lamplight/codecs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mintViewOf } from "../amount/mint-view.ts";
import type { Account } from "../domain/account.ts";
import { writeJson } from "../json/write-json.ts";
import { mintNeededBy, parseAccount } from "./parse-account.ts";

interface TokenCase {
  readonly case: string;
  readonly dataBase64: string;
  readonly mintDataBase64: string | null;
  readonly unixTimestamp: number;
  readonly expectedParsedText: string | null;
}

interface OtherCase {
  readonly program: string;
  readonly case: string;
  readonly address: string;
  /** Null where the data is described instead of written out. */
  readonly dataBase64: string | null;
  readonly expectedNote?: {
    readonly nextSlot: number;
    readonly bitsLength: number;
    readonly bitsSha256: string;
  };
  readonly expectedParsedText: string | null;
}

const shared = process.env.LAMPLIGHT_SHARED ?? resolve(import.meta.dirname, "../../../../../shared");
const folder = resolve(shared, "vectors");
if (!existsSync(folder)) console.warn(`skipped: no decode vectors in ${folder}`);

/** Read as text, because timestamps can be beyond 2^53. */
const readCases = <Case>(file: string): readonly Case[] =>
  existsSync(folder)
    ? (JSON.parse(readFileSync(resolve(folder, file), "utf8"), keepBigTimestamp).cases as readonly Case[])
    : [];

const keepBigTimestamp = (name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  name === "unixTimestamp" ? BigInt(context?.source ?? String(value)) : value;

const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));

const accountOf = (
  owner: string,
  data: Uint8Array,
  address = programAddressTexts.splNoop as string,
): Account => ({
  address: decodeAddress(address),
  programOwner: decodeAddress(owner),
  lamports: 1n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: 1,
  writeVersion: 0,
});

const parsedText = (value: ReturnType<typeof parseAccount>): string | null =>
  value === null ? null : writeJson((value as { parsed: Parameters<typeof writeJson>[0] }).parsed);

describe.skipIf(!existsSync(folder))("token vectors", () => {
  const cases = readCases<TokenCase>("token-decode-vectors.json");
  test.each(cases)("$case", ({ dataBase64, mintDataBase64, unixTimestamp, expectedParsedText }) => {
    const mint = mintDataBase64 === null ? null : mintViewOf(fromBase64(mintDataBase64));
    for (const owner of [programAddressTexts.token, programAddressTexts.token2022]) {
      const account = accountOf(owner, fromBase64(dataBase64));
      const parsed = parseAccount(account, { mint, unixTimestamp: BigInt(unixTimestamp) });
      expect(parsedText(parsed)).toBe(expectedParsedText);
    }
  });
});

const ownerOfProgram: Readonly<Record<string, string>> = {
  stake: programAddressTexts.stake,
  vote: programAddressTexts.vote,
  nonce: programAddressTexts.system,
  config: programAddressTexts.config,
  sysvar: programAddressTexts.sysvar,
  "address-lookup-table": programAddressTexts.addressLookupTable,
  "bpf-upgradeable-loader": programAddressTexts.upgradeableLoader,
};

describe.skipIf(!existsSync(folder))("native program vectors", () => {
  const cases = readCases<OtherCase>("other-decode-vectors.json");
  const written = cases.filter(({ dataBase64 }) => dataBase64 !== null);
  test.each(written)("$program: $case", ({ program, address, dataBase64, expectedParsedText }) => {
    const data = fromBase64(dataBase64 ?? "");
    const account = accountOf(ownerOfProgram[program] ?? "", data, address);
    const value = parseAccount(account, { mint: null, unixTimestamp: 0n });
    expect(parsedText(value)).toBe(expectedParsedText);
    if (value !== null) {
      expect(value).toMatchObject({ program, space: data.length });
      expect(Object.keys(value)).toEqual(["parsed", "program", "space"]);
    }
  });
});

const BITS_BYTES = 131_072;
const slotHistory = (bitCount: bigint): Uint8Array => {
  const data = new Uint8Array(9 + BITS_BYTES + 16);
  const view = new DataView(data.buffer);
  data[0] = 1;
  view.setBigUint64(1, BigInt(BITS_BYTES / 8), true);
  data[9] = 0x07;
  data[8 + BITS_BYTES] = 0x80;
  view.setBigUint64(9 + BITS_BYTES, bitCount, true);
  view.setBigUint64(17 + BITS_BYTES, 5n, true);
  return data;
};
const parseSlotHistory = (data: Uint8Array) =>
  parseAccount(accountOf(programAddressTexts.sysvar, data, sysvarAddressTexts.slotHistory), {
    mint: null,
    unixTimestamp: 0n,
  });

describe("slot history", () => {
  test("prints one digit for each slot, the lowest bit of the first word first", () => {
    const { info, type } = JSON.parse(parsedText(parseSlotHistory(slotHistory(1_048_576n))) ?? "") as {
      info: { bits: string; nextSlot: number };
      type: string;
    };
    expect({ type, nextSlot: info.nextSlot, length: info.bits.length }).toEqual({
      type: "slotHistory",
      nextSlot: 5,
      length: 1_048_576,
    });
    expect([...info.bits.matchAll(/1/g)].map(({ index }) => index)).toEqual([0, 1, 2, 1_048_575]);
  });

  test("is unparseable when it is shorter than the runtime writes it", () => {
    expect(parseSlotHistory(slotHistory(1_048_575n))).toBeNull();
    expect(parseSlotHistory(slotHistory(1_048_576n).subarray(0, -1))).toBeNull();
  });

  test("equals the described vector", ({ skip }) => {
    const found = readCases<OtherCase>("other-decode-vectors.json").find(({ expectedNote }) => expectedNote);
    if (found?.expectedNote === undefined) return skip("no described vector");
    const { info } = JSON.parse(parsedText(parseSlotHistory(slotHistory(1_048_576n))) ?? "") as {
      info: { bits: string };
    };
    expect(info.bits).toHaveLength(found.expectedNote.bitsLength);
    expect(createHash("sha256").update(info.bits).digest("hex")).toBe(found.expectedNote.bitsSha256);
  });
});

describe("mintNeededBy", () => {
  const data = new Uint8Array(165);
  data.fill(7, 0, 32);
  data[108] = 1;

  test("names the mint of a token account of either token program", () => {
    for (const owner of [programAddressTexts.token, programAddressTexts.token2022]) {
      expect(mintNeededBy(accountOf(owner, data))).toEqual(new Uint8Array(32).fill(7));
    }
  });

  test("answers null for other owners and other records", () => {
    expect(mintNeededBy(accountOf(programAddressTexts.stake, data))).toBeNull();
    expect(mintNeededBy(accountOf(programAddressTexts.token, data.subarray(0, 82)))).toBeNull();
  });
});

test("an owner that is not parsed answers null", () => {
  const account = accountOf(programAddressTexts.tokenMetadata, new Uint8Array(200));
  expect(parseAccount(account, { mint: null, unixTimestamp: 0n })).toBeNull();
});

describe("arbitrary bytes", () => {
  const owners = [...new Set([...Object.values(ownerOfProgram), ...Object.values(programAddressTexts)])];
  const addresses = [...Object.values(sysvarAddressTexts), programAddressTexts.splNoop];
  const mint = { decimals: 6, interestBearing: null, scaled: null };
  // Small values make tags, counts and options come out valid often enough to reach deep into every decoder.
  const byte = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, 1, 2, 3) },
    { weight: 1, arbitrary: fc.constantFrom(29, 128, 254, 255) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
  );
  const size = fc.oneof(
    fc.constantFrom(0, 4, 17, 33, 36, 40, 56, 80, 82, 88, 124, 165, 166, 170, 197, 200, 355, 3762),
    fc.integer({ min: 0, max: 700 }),
  );
  const data = size.chain((length) => fc.array(byte, { minLength: length, maxLength: length }));

  test("give a record that can be written as JSON, or null, under every owner", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...owners),
        fc.constantFrom(...addresses),
        data,
        (owner, address, bytes) => {
          // The bytes stand between others, so that a read out of bounds would show.
          const surrounded = Uint8Array.from([
            ...Array.from({ length: 64 }, () => 1),
            ...bytes,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
          ]);
          const view = surrounded.subarray(64, 64 + bytes.length);
          const context = { mint, unixTimestamp: 1_700_000_000n };
          const value = parseAccount(accountOf(owner, view, address), context);
          const alone = parseAccount(accountOf(owner, Uint8Array.from(bytes), address), context);
          expect(value === null ? null : writeJson(value)).toBe(alone === null ? null : writeJson(alone));
          if (value !== null) expect(JSON.parse(writeJson(value))).toHaveProperty("parsed.type");
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("give members sorted by bytes at every level", () => {
    const assertSorted = (value: unknown): void => {
      if (value === null || typeof value !== "object") return;
      if (!Array.isArray(value)) expect(Object.keys(value)).toEqual(Object.keys(value).toSorted());
      for (const member of Object.values(value)) assertSorted(member);
    };
    fc.assert(
      fc.property(fc.constantFrom(...owners), data, (owner, bytes) => {
        const value = parseAccount(accountOf(owner, Uint8Array.from(bytes)), { mint, unixTimestamp: 0n });
        if (value !== null) assertSorted(JSON.parse(writeJson(value)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a hostile count", () => {
  const u64Max = Array.from({ length: 8 }, () => 255);
  test.each([
    [programAddressTexts.sysvar, sysvarAddressTexts.slotHashes, u64Max],
    [programAddressTexts.sysvar, sysvarAddressTexts.stakeHistory, u64Max],
    [programAddressTexts.sysvar, sysvarAddressTexts.recentBlockhashes, u64Max],
    [programAddressTexts.sysvar, sysvarAddressTexts.slotHistory, [1, ...u64Max]],
    [
      programAddressTexts.vote,
      programAddressTexts.splNoop,
      [2, 0, 0, 0, ...Array.from({ length: 65 }, () => 0), ...u64Max],
    ],
    [programAddressTexts.config, programAddressTexts.splNoop, [255, 255, 3]],
  ])("under %s at %s is refused without being believed", (owner, address, head) => {
    const bytes = new Uint8Array(1000);
    bytes.set(head);
    expect(parseAccount(accountOf(owner, bytes, address), { mint: null, unixTimestamp: 0n })).toBeNull();
  });
});
