import { decodeAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import { type Account, closedAccount } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { accountOfRow, type AccountRow } from "./account-row.ts";
import { FollowPlan } from "./follow-plan.ts";
import { KnownAccounts } from "./known-accounts.ts";

const token = encodeAddress(programAddresses.token);
const stake = encodeAddress(programAddresses.stake);
const address = encodeAddress(new Uint8Array(32).fill(5));

const row = (lamports: number | string, owner = token, pubkey = address): AccountRow => ({
  pubkey,
  account: {
    lamports,
    owner,
    data: ["AQID", "base64"],
    executable: false,
    rentEpoch: "18446744073709551615",
  },
});

const knowing = (): KnownAccounts => {
  const plan = new FollowPlan({ programs: [token], accounts: [], mints: [], trees: [] });
  return new KnownAccounts(plan, "http://x");
};

describe("KnownAccounts", () => {
  test("news is what differs, at the slot it was reported for", () => {
    const known = knowing();
    expect(known.take(row(5), 10)).toMatchObject({ lamports: 5n, slot: 10, rentEpoch: 2n ** 64n - 1n });
    expect(known.take(row(5), 11)).toBe(null);
    expect(known.take(row(6), 12)).toMatchObject({ lamports: 6n, slot: 12 });
  });

  test("an older slot never wins, not even over what was only confirmed to be the same", () => {
    const known = knowing();
    known.take(row(5), 10);
    known.take(row(5), 20);
    expect(known.take(row(4), 15)).toBe(null);
    expect(known.takeAbsence(address, 15)).toBe(null);
  });

  test("of two states that were emitted before, the newer one is known, in any order", () => {
    const known = knowing();
    const [older, newer] = [accountOfRow(row(5), 10), accountOfRow(row(6), 20)];
    for (const account of [older, newer, older]) known.remember(account);
    expect(known.take(row(6), 21)).toBe(null);
    expect(known.take(row(5), 22)).toMatchObject({ lamports: 5n, slot: 22 });
  });

  test("an account that was closed after it was read, and is back with the same content, is news", () => {
    const known = knowing();
    known.remember(accountOfRow(row(5), 10));
    known.remember(closedAccount(decodeAddress(address), 11));
    expect(known.take(row(5), 10)).toBe(null);
    expect(known.take(row(5), 12)).toMatchObject({ lamports: 5n, slot: 12 });
  });

  test("of one slot the later arrival wins", () => {
    const known = knowing();
    known.take(row(5), 10);
    expect(known.take(row(6), 10)).toMatchObject({ lamports: 6n });
  });

  test("absence is news once, stays known, and what comes late does not raise the dead", () => {
    const known = knowing();
    known.take(row(5), 10);
    expect(known.takeAbsence(address, 12)).toMatchObject({ lamports: 0n, slot: 12 });
    expect(known.takeAbsence(address, 13)).toBe(null);
    expect(known.take(row(5), 11)).toBe(null);
    expect(known.take(row(5), 14)).toMatchObject({ lamports: 5n });
  });

  test("absence of what was never known is no news", () => {
    expect(knowing().takeAbsence(address, 12)).toBe(null);
    expect(knowing().take(row(0), 12)).toBe(null);
  });

  test("what belongs to another program now is gone from here", () => {
    const known = knowing();
    known.take(row(5), 10);
    expect(known.take(row(5, stake), 11)).toMatchObject({ lamports: 0n, slot: 11 });
    expect(known.take(row(5, stake), 12)).toBe(null);
  });

  test("a scan misses what it should have had, but nothing that is newer than it", () => {
    const plan = new FollowPlan({ programs: [token], accounts: [], mints: [], trees: [] });
    const known = new KnownAccounts(plan, "http://x");
    const other = encodeAddress(new Uint8Array(32).fill(6));
    known.take(row(5), 10);
    known.take(row(5, token, other), 12);
    const [scan] = plan.scans;
    expect(known.missing(scan!, new Set(), 11)).toEqual([address]);
    expect(known.missing(scan!, new Set([address]), 12)).toEqual([other]);
    known.takeAbsence(other, 13);
    expect(known.missing(scan!, new Set([address]), 14)).toEqual([]);
  });

  test("what the store holds is no news, regardless of what digits its numbers have", () => {
    const known = knowing();
    const stored: Account = {
      address: decodeAddress(address),
      programOwner: programAddresses.token,
      lamports: 9_007_199_254_740_993n,
      executable: false,
      rentEpoch: 2n ** 64n - 1n,
      data: Uint8Array.of(1, 2, 3),
      slot: 9,
      writeVersion: 77,
    };
    known.remember(stored);
    expect(known.take(row("9007199254740993"), 10)).toBe(null);
    expect(known.take(row("9007199254740992"), 11)).toMatchObject({ lamports: 9_007_199_254_740_992n });
  });
});
