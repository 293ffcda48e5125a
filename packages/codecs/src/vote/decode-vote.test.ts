import { describe, expect, test } from "vitest";
import { decodeVote } from "./decode-vote.ts";

const u32 = (value: number): number[] => [...new Uint8Array(Uint32Array.of(value).buffer)];
const u64 = (value: bigint): number[] => [...new Uint8Array(BigUint64Array.of(value).buffer)];
const key = (byte: number): number[] => Array.from({ length: 32 }, () => byte);

/** The oldest layout that is still read: no latency, one byte of commission, former voters. */
const oldest = (): Uint8Array =>
  Uint8Array.from([
    ...u32(1),
    ...key(1),
    ...key(2),
    7,
    ...u64(2n),
    ...u64(100n),
    ...u32(31),
    ...u64(2n ** 64n - 1n),
    ...u32(1),
    1,
    ...u64(99n),
    ...u64(3n),
    ...u64(601n),
    ...key(4),
    ...u64(600n),
    ...key(3),
    ...u64(601n),
    ...key(5),
    ...Array.from({ length: 1545 }, () => 255),
    ...u64(1n),
    ...u64(600n),
    ...u64(50n),
    ...u64(40n),
    ...u64(131n),
    ...u64(1_700_000_000n),
  ]);

describe("decodeVote", () => {
  test("shows the oldest layout as the newest has it", () => {
    const vote = decodeVote(oldest());
    expect(vote).toMatchObject({
      node: Uint8Array.from(key(1)),
      authorizedWithdrawer: Uint8Array.from(key(2)),
      inflationRewardsCommissionBps: 700,
      inflationRewardsCollector: null,
      blockRevenueCommissionBps: 10_000,
      blockRevenueCollector: Uint8Array.from(key(1)),
      blsPubkeyCompressed: null,
      rootSlot: 99n,
      lastTimestamp: { slot: 131n, timestamp: 1_700_000_000n },
    });
    expect(vote?.votes).toEqual([
      { latency: 0, slot: 100n, confirmationCount: 31 },
      { latency: 0, slot: 2n ** 64n - 1n, confirmationCount: 1 },
    ]);
    expect(vote?.epochCredits).toEqual([{ epoch: 600n, credits: 50n, previousCredits: 40n }]);
  });

  test("orders voters by epoch, and the last of a repeated epoch stays", () => {
    expect(decodeVote(oldest())?.authorizedVoters).toEqual([
      { epoch: 600n, authorizedVoter: Uint8Array.from(key(3)) },
      { epoch: 601n, authorizedVoter: Uint8Array.from(key(5)) },
    ]);
  });

  test("ignores what follows, and answers null when a byte is missing", () => {
    const data = oldest();
    expect(decodeVote(Uint8Array.from([...data, 1, 2, 3]))).toEqual(decodeVote(data));
    for (const missing of [1, 40, 1600, data.length - 4])
      expect(decodeVote(data.subarray(0, -missing))).toBeNull();
  });

  test.each([0, 4, 2 ** 31])("answers null for version tag %d", (tag) => {
    const data = oldest();
    data.set(u32(tag));
    expect(decodeVote(data)).toBeNull();
  });
});
