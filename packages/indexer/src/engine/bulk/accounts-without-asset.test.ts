import { programAddresses } from "@lamplight/codecs";
import { type Account, AccountBatch } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tokenRule } from "../../programs/token/token-rule.ts";
import { isTokenAccountWithoutAsset } from "./accounts-without-asset.ts";

/** Sizes around those that mean something, and bytes that do: tags, state, type, amount. */
const data = fc
  .tuple(
    fc.constantFrom(0, 82, 164, 165, 166, 170, 250, 355, 400),
    fc.bigInt({ min: 0n, max: 3n }),
    fc.array(fc.tuple(fc.constantFrom(0, 44, 45, 46, 67, 72, 108, 109, 129, 165), fc.nat({ max: 3 })), {
      maxLength: 5,
    }),
  )
  .map(([length, amount, turns]) => {
    const bytes = Buffer.alloc(length);
    if (length >= 72) bytes.writeBigUInt64LE(amount, 64);
    if (length > 108) bytes[108] = 1;
    if (length > 165) bytes[165] = 2;
    for (const [at, byte] of turns) if (at < length) bytes[at] = byte;
    return new Uint8Array(bytes);
  });

const account: fc.Arbitrary<Account> = fc.record({
  address: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  programOwner: fc.constantFrom(programAddresses.token, programAddresses.token2022),
  lamports: fc.constant(1n),
  executable: fc.constant(false),
  rentEpoch: fc.constant(0n),
  data,
  slot: fc.constant(1),
  writeVersion: fc.constant(0),
});

describe("isTokenAccountWithoutAsset", () => {
  test("is never said of an account that the rule of token accounts hears", () => {
    let silent = 0;
    fc.assert(
      fc.property(account, (one) => {
        if (!isTokenAccountWithoutAsset(AccountBatch.of([one]), 0)) return;
        silent += 1;
        expect(tokenRule.claim(one)).toBeNull();
      }),
      { numRuns: 3000 },
    );
    expect(silent).toBeGreaterThan(500);
  });
});
