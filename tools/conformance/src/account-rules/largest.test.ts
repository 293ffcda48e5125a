import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { isListedWithdrawer, nonCirculatingAccounts } from "@lamplight/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Lab } from "../lab.ts";
import { accountAt, addressOf, clockAt, stakeData, valueOf } from "./records.ts";

const { stake, system } = programAddresses;
/** A withdraw authority on the static list: most of them are listed as accounts too. */
const listed = nonCirculatingAccounts.find(isListedWithdrawer) as Uint8Array;
const U64_MAX = 2n ** 64n - 1n;

interface Rich {
  readonly address: Uint8Array;
  readonly owner: Uint8Array;
  readonly data: Uint8Array;
  readonly lamports: bigint;
  /** At second 100 of epoch 5, and one second and epoch later. */
  readonly held: readonly [boolean, boolean];
}

const none = new Uint8Array(0);
const always = [true, true] as const;
const never = [false, false] as const;
const untilThen = [true, false] as const;
const stakes: readonly [Uint8Array, Uint8Array, Rich["held"]][] = [
  [stake, stakeData({ tag: 1, timestamp: 101n }), untilThen],
  [stake, stakeData({ tag: 2, timestamp: 100n, epoch: 5n }), never],
  [stake, stakeData({ tag: 2, epoch: 6n }), untilThen],
  [stake, stakeData({ tag: 2, timestamp: -5n, epoch: U64_MAX }), always],
  [stake, stakeData({ tag: 0, timestamp: 500n, epoch: 9n }), never],
  [stake, stakeData({ tag: 3, timestamp: 500n, epoch: 9n }), never],
  [stake, stakeData({ tag: 2, timestamp: 500n }).subarray(0, 196), never],
  [stake, stakeData({ tag: 1, timestamp: 500n }).subarray(0, 124), always],
  [addressOf(50), stakeData({ tag: 1, timestamp: 500n }), never],
];

/** Ties at the cut-off of every filter, balances beyond 2^63, and each way to be held. */
const rich: readonly Rich[] = [
  ...Array.from({ length: 30 }, (_, index) => ({
    address: addressOf(index % 2 === 0 ? 200 : 100, index),
    owner: system,
    data: none,
    lamports: index < 15 ? 5000n : 2n ** 63n + BigInt(index % 4),
    held: never,
  })),
  ...Array.from({ length: 25 }, (_, index) => ({
    address: addressOf(1, 100 + index),
    owner: stake,
    data: stakeData({ tag: 1, timestamp: 500n }),
    lamports: 2n ** 63n + 1n,
    held: always,
  })),
  ...stakes.map(([owner, data, held], index) => ({
    address: addressOf(1, index),
    owner,
    data,
    lamports: U64_MAX - BigInt(index % 3),
    held,
  })),
  ...nonCirculatingAccounts
    .slice(0, 3)
    .map((address) => ({ address, owner: system, data: none, lamports: U64_MAX - 1n, held: always })),
];

/** The rule as it is written, over a list. */
const expected = (keep: (one: Rich) => boolean): readonly string[] =>
  rich
    .filter(keep)
    .toSorted((a, b) =>
      a.lamports === b.lamports ? Buffer.compare(b.address, a.address) : a.lamports < b.lamports ? 1 : -1,
    )
    .slice(0, 20)
    .map(({ address, lamports }) => `${encodeAddress(address)} ${lamports}`);

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open(null);
  await lab.indexAccounts(
    rich.map(({ address, owner, data, lamports }) => accountAt(address, owner, data, { lamports })),
  );
});
afterAll(() => lab.close());

const largest = async (config?: object): Promise<readonly string[]> => {
  const value = await valueOf(lab, "getLargestAccounts", config === undefined ? [] : [config]);
  return (value as { address: string; lamports: number | bigint }[]).map(
    ({ address, lamports }) => `${address} ${lamports}`,
  );
};

describe("the twenty largest", () => {
  test.each([
    [0, 100n, 5n],
    [1, 101n, 6n],
  ])("at clock %d, falling by lamports, then by bytes", async (moment, unixTimestamp, epoch) => {
    await lab.indexAccounts([clockAt(11 + moment, unixTimestamp, epoch)]);
    expect(await largest()).toEqual(expected(() => true));
    expect(await largest({ filter: "circulating" })).toEqual(expected(({ held }) => !held[moment]));
    expect(await largest({ filter: "nonCirculating" })).toEqual(
      expected(({ held }) => held[moment] === true),
    );
  });

  test("with a listed withdraw authority are held without any lock", async () => {
    const address = addressOf(2);
    const data = stakeData({ tag: 2, withdrawer: listed });
    const before = await largest({ filter: "nonCirculating" });
    await lab.indexAccounts([accountAt(address, stake, data, { lamports: U64_MAX, slot: 13 })]);
    expect(before).not.toContain(`${encodeAddress(address)} ${U64_MAX}`);
    expect(await largest({ filter: "nonCirculating" })).toContain(`${encodeAddress(address)} ${U64_MAX}`);
    expect(await largest({ filter: "circulating" })).not.toContain(`${encodeAddress(address)} ${U64_MAX}`);
  });
});
