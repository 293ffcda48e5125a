import type { Account } from "@lamplight/core";
import { expect, test } from "vitest";
import { PendingSlots } from "./pending-slots.ts";

const accountOf = (number: number, slot: number): Account => ({
  address: new Uint8Array(32).fill(number),
  programOwner: new Uint8Array(32),
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(number),
  slot,
  writeVersion: 0,
});

test("much is taken in steps, the transactions of a slot with the last of them", () => {
  const pending = new PendingSlots();
  for (let number = 1; number <= 12; number += 1) pending.addAccount(accountOf(number, 7));
  pending.addAccount(accountOf(20, 9));
  pending.addTransaction({ signature: "a", slot: 7, index: null, failed: false, groups: [] });
  const steps = [1, 2, 3, 4, 5].map(() => {
    const { accounts, transactions } = pending.takeSome(5);
    return [accounts.map(({ data }) => data.length), transactions.length, pending.size];
  });
  expect(steps).toEqual([
    [[1, 2, 3, 4, 5], 0, 9],
    [[6, 7, 8, 9, 10], 0, 4],
    [[11, 12], 1, 1],
    [[20], 0, 0],
    [[], 0, 0],
  ]);
  expect(pending.bytes).toBe(0);
});

test("several slots are taken at once: an account with its state in each of them", () => {
  const pending = new PendingSlots();
  for (const slot of [9, 7, 7]) pending.addAccount(accountOf(1, slot));
  const { accounts } = pending.take(9);
  expect(accounts.map(({ slot }) => slot)).toEqual([7, 9]);
  expect([pending.size, pending.bytes]).toEqual([0, 0]);
});
