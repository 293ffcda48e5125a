import { describe, expect, test } from "vitest";
import { Random } from "./random.ts";

describe("Random", () => {
  test("gives the same numbers for the same seeds", () => {
    const random = new Random(1, 2, 3);
    expect([random.u32(), random.u32(), random.u64()]).toEqual([3987121759, 92551270, 4819649687838601085n]);
  });

  test("stays inside what is asked for, and reaches both ends", () => {
    const random = new Random(7, 0, 0);
    const drawn = Array.from({ length: 2000 }, () => random.between(3, 9));
    expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([3, 9]);
    const ranks = Array.from({ length: 5000 }, () => random.rank(100));
    expect([Math.min(...ranks), Math.max(...ranks)]).toEqual([0, 99]);
    expect(Array.from({ length: 50 }, () => random.rank(1))).toEqual(Array(50).fill(0));
    expect(Math.max(...Array.from({ length: 1000 }, () => random.below(2 ** 32)))).toBeGreaterThan(
      4_200_000_000,
    );
  });

  test("draws low ranks far more often than high ones", () => {
    const random = new Random(8, 0, 0);
    const ranks = Array.from({ length: 8000 }, () => random.rank(1000));
    const first = ranks.filter((rank) => rank === 0).length;
    const later = ranks.filter((rank) => rank === 500).length;
    expect(first).toBeGreaterThan(20 * Math.max(1, later));
  });

  test("streams and indexes give unlike bytes", () => {
    const texts = new Set<string>();
    for (let stream = 0; stream < 20; stream += 1) {
      for (let index = 0; index < 500; index += 1) {
        texts.add(Buffer.from(new Random(1, stream, index).bytes(32)).toString("hex"));
      }
    }
    expect(texts.size).toBe(10_000);
  });
});
