import { type Account, AccountBatch } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyVersionSum, joinVersionSum, versionSumOf, versionSumText } from "./version-sum.ts";

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const account: fc.Arbitrary<Account> = fc.record({
  address: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  programOwner: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  lamports: u64,
  executable: fc.boolean(),
  rentEpoch: u64,
  data: fc.uint8Array({ maxLength: 20 }),
  slot: fc.nat(),
  writeVersion: fc.maxSafeNat(),
});
const accounts = fc.array(account, { minLength: 1, maxLength: 8 });
const sumOf = (list: readonly Account[]): string => versionSumText(versionSumOf(AccountBatch.of(list)));

describe("versionSumOf", () => {
  test("is the same in every order and in parts", () => {
    fc.assert(
      fc.property(accounts, fc.nat({ max: 8 }), (list, cut) => {
        const joined = emptyVersionSum();
        for (const part of [list.slice(cut), list.slice(0, cut)])
          joinVersionSum(joined, versionSumOf(AccountBatch.of(part)));
        expect(versionSumText(joined)).toBe(sumOf(list));
        expect(sumOf(list.toReversed())).toBe(sumOf(list));
      }),
    );
  });

  test("reports a change of any single bit", () => {
    const bit = fc.nat({ max: 63 });
    const changes: readonly ((one: Account, bit: number) => Account)[] = [
      (one, at) => ({
        ...one,
        address: one.address.map((byte, index) => (index === at >> 1 ? byte ^ (1 << (at & 7)) : byte)),
      }),
      (one, at) => ({ ...one, lamports: one.lamports ^ (1n << BigInt(at)) }),
      (one, at) => ({ ...one, rentEpoch: one.rentEpoch ^ (1n << BigInt(at)) }),
      (one) => ({ ...one, executable: !one.executable }),
      (one, at) => ({ ...one, slot: Number(BigInt(one.slot) ^ (1n << BigInt(at % 53))) }),
      (one, at) => ({ ...one, writeVersion: Number(BigInt(one.writeVersion) ^ (1n << BigInt(at % 53))) }),
    ];
    fc.assert(
      fc.property(accounts, fc.constantFrom(...changes), bit, (list, change, at) => {
        const [first, ...rest] = list as [Account, ...Account[]];
        expect(sumOf([change(first, at), ...rest])).not.toBe(sumOf(list));
      }),
      { numRuns: 500 },
    );
  });
});
