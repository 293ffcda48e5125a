import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMint } from "./decode-mint.ts";
import { decodeMultisig } from "./decode-multisig.ts";
import { decodeTokenAccount, delegateOf, isTokenAccount } from "./decode-token-account.ts";

interface TokenCase {
  readonly case: string;
  readonly dataBase64: string;
  readonly validTokenAccount: boolean;
  readonly expectedParsedText: string | null;
}

const shared = process.env.LAMPLIGHT_SHARED ?? resolve(import.meta.dirname, "../../../../../shared");
const vectors = resolve(shared, "vectors/token-decode-vectors.json");
if (!existsSync(vectors)) console.warn(`skipped: no token vectors in ${dirname(vectors)}`);

describe.skipIf(!existsSync(vectors))("kinds of the token vectors", () => {
  const cases = existsSync(vectors) ? (JSON.parse(readFileSync(vectors, "utf8")).cases as TokenCase[]) : [];
  test.each(cases)("$case", ({ dataBase64, validTokenAccount, expectedParsedText }) => {
    const data = new Uint8Array(Buffer.from(dataBase64, "base64"));
    expect(isTokenAccount(data)).toBe(validTokenAccount);
    // An account that decodes may still be unparseable for lack of its mint, so only the kinds are compared.
    const type = expectedParsedText === null ? null : (JSON.parse(expectedParsedText).type as string);
    if (type !== null) {
      expect(decodeTokenAccount(data) !== null).toBe(type === "account");
      expect(decodeMint(data) !== null).toBe(type === "mint");
      expect(decodeMultisig(data) !== null).toBe(type === "multisig");
    }
  });
});

const key = (byte: number): number[] => Array.from({ length: 32 }, () => byte);
const tokenAccount = (): Uint8Array =>
  Uint8Array.from([
    ...key(1),
    ...key(2),
    255,
    255,
    255,
    255,
    255,
    255,
    255,
    255,
    1,
    0,
    0,
    0,
    ...key(3),
    2,
    1,
    0,
    0,
    0,
    9,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    7,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    ...key(4),
  ]);

describe("decodeTokenAccount", () => {
  test("reads every field at its place, keys as views", () => {
    const data = tokenAccount();
    const account = decodeTokenAccount(data);
    expect(account).toEqual({
      mint: Uint8Array.from(key(1)),
      tokenOwner: Uint8Array.from(key(2)),
      amount: 2n ** 64n - 1n,
      delegate: Uint8Array.from(key(3)),
      state: "frozen",
      rentExemptReserve: 9n,
      delegatedAmount: 7n,
      closeAuthority: Uint8Array.from(key(4)),
      extensions: new Uint8Array(0),
    });
    expect(account?.mint.buffer).toBe(data.buffer);
  });

  test("reads a view that does not start at its buffer's beginning", () => {
    const padded = new Uint8Array(200);
    padded.set(tokenAccount(), 17);
    expect(decodeTokenAccount(padded.subarray(17, 182))).toEqual(decodeTokenAccount(tokenAccount()));
  });
});

describe("delegateOf", () => {
  test("takes a state byte that decoding refuses, and no other tag than 1", () => {
    const data = tokenAccount();
    data[108] = 3;
    expect(decodeTokenAccount(data)).toBeNull();
    expect(delegateOf(data)?.delegate).toEqual(Uint8Array.from(key(3)));
    data[75] = 1;
    expect(delegateOf(data)).toBeNull();
  });

  test("answers null for an uninitialized account and for a multisig", () => {
    const data = tokenAccount();
    data[108] = 0;
    expect(delegateOf(data)).toBeNull();
    expect(delegateOf(new Uint8Array(355).fill(1))).toBeNull();
  });
});

test("arbitrary bytes are at most one kind and never throw", () => {
  const sizes = fc.constantFrom(0, 81, 82, 83, 164, 165, 166, 200, 354, 355, 356);
  const edgy = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 1, 2) }, fc.integer({ min: 0, max: 255 }));
  const bytes = sizes.chain((size) => fc.array(edgy, { minLength: size, maxLength: size }));
  fc.assert(
    fc.property(bytes, (list) => {
      const data = Uint8Array.from(list);
      const kinds = [decodeMint(data), decodeTokenAccount(data), decodeMultisig(data)].filter(
        (kind) => kind !== null,
      );
      expect(kinds.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 2000 },
  );
});
