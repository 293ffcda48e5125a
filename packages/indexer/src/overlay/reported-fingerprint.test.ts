import type { Account, Transaction } from "@lamplight/core";
import { expect, test } from "vitest";
import { fingerprintOf } from "./reported-fingerprint.ts";

const account: Account = {
  address: new Uint8Array(32).fill(1),
  programOwner: new Uint8Array(32).fill(2),
  lamports: 2n ** 64n - 1n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: Uint8Array.of(1, 2),
  slot: 7,
  writeVersion: 1,
};
const other: Account = { ...account, address: new Uint8Array(32).fill(3) };
const transactionOf = (signature: string): Transaction => ({
  signature,
  slot: 7,
  index: 0,
  failed: false,
  groups: [],
});

test("is the same for the same contents in any order, regardless of what numbers writes have", () => {
  const [one, two] = [transactionOf("one"), transactionOf("two")];
  const renumbered = { ...account, writeVersion: 99 };
  expect(fingerprintOf([other, renumbered], [two, one])).toBe(fingerprintOf([account, other], [one, two]));
});

test("is another one for anything that differs", () => {
  const all = [
    fingerprintOf([], []),
    fingerprintOf([account], []),
    fingerprintOf([account, other], []),
    fingerprintOf([account], [transactionOf("one")]),
    fingerprintOf([account], [transactionOf("two")]),
    fingerprintOf([other], []),
    fingerprintOf([{ ...account, programOwner: new Uint8Array(32) }], []),
    fingerprintOf([{ ...account, lamports: 1n }], []),
    fingerprintOf([{ ...account, rentEpoch: 1n }], []),
    fingerprintOf([{ ...account, executable: true }], []),
    fingerprintOf([{ ...account, data: Uint8Array.of(1, 3) }], []),
    fingerprintOf(
      [
        { ...account, data: Uint8Array.of(1) },
        { ...other, data: Uint8Array.of(2) },
      ],
      [],
    ),
    fingerprintOf(
      [
        { ...account, data: new Uint8Array(0) },
        { ...other, data: Uint8Array.of(1, 2) },
      ],
      [],
    ),
    fingerprintOf([account, { ...other, data: new Uint8Array(0) }], []),
  ];
  expect(new Set(all).size).toBe(all.length);
});
