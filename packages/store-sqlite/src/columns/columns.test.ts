import { decodeAddress, sysvarAddresses } from "@lamplight/codecs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountKeyOf, addressOfKey } from "./account-key.ts";
import { u64FromColumn, u64ToColumn } from "./u64-column.ts";
import { decodeZeroRuns, encodeZeroRuns } from "./zero-runs.ts";

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe("u64 columns", () => {
  test("hold the edges exactly and inside the signed range", () => {
    for (const value of [0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]) {
      const column = u64ToColumn(value);
      expect(BigInt.asIntN(64, column)).toBe(column);
      expect(u64FromColumn(column)).toBe(value);
    }
  });

  test("keep the order of the values", () => {
    fc.assert(fc.property(u64, u64, (a, b) => a < b === u64ToColumn(a) < u64ToColumn(b)));
  });
});

describe("account keys", () => {
  test("read back as the address, from a view into other bytes too", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 40, maxLength: 40 }), (bytes) => {
        const address = bytes.subarray(3, 35);
        const { id, tail } = accountKeyOf(address);
        expect(addressOfKey(id, tail)).toEqual(Uint8Array.from(address));
      }),
    );
  });

  test("collide for the sysvars whose names begin alike", () => {
    expect(accountKeyOf(sysvarAddresses.slotHashes).id).toBe(accountKeyOf(sysvarAddresses.slotHistory).id);
    expect(accountKeyOf(sysvarAddresses.epochSchedule).id).toBe(
      accountKeyOf(sysvarAddresses.epochRewards).id,
    );
    expect(accountKeyOf(decodeAddress("11111111111111111111111111111111")).id).toBe(0n);
  });
});

/** Bytes with long and short runs of zeros, as accounts have them. */
const sparseBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat({ max: 400 }).map((size) => new Uint8Array(size)),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe("zero-run coding", () => {
  test("gives the same bytes back and is smaller whenever it is used", () => {
    fc.assert(
      fc.property(fc.oneof(sparseBytes, fc.uint8Array({ maxLength: 600 })), (data) => {
        const coded = encodeZeroRuns(data);
        if (coded === null) return;
        expect(coded.length).toBeLessThan(data.length);
        expect(decodeZeroRuns(coded)).toEqual(data);
      }),
    );
  });

  test("shrinks a run at every boundary of a control byte", () => {
    for (const zeros of [2, 127, 128, 129, 256, 257, 100_000]) {
      const data = new Uint8Array(zeros + 2).fill(1, 0, 1).fill(2, zeros + 1);
      const coded = encodeZeroRuns(data);
      if (zeros > 2) expect(coded).not.toBeNull();
      if (coded !== null) expect(decodeZeroRuns(coded)).toEqual(data);
    }
  });

  test("keeps data raw that would not shrink", () => {
    expect(encodeZeroRuns(new Uint8Array(0))).toBeNull();
    expect(encodeZeroRuns(new Uint8Array(1))).toBeNull();
    expect(encodeZeroRuns(new Uint8Array(500).fill(7))).toBeNull();
  });

  test("answers null for a damaged form", () => {
    expect(decodeZeroRuns(Uint8Array.of(5, 1, 2))).toBeNull();
    expect(decodeZeroRuns(Uint8Array.of(0))).toBeNull();
  });

  test("never throws on arbitrary coded bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (coded) => {
        expect(() => decodeZeroRuns(coded)).not.toThrow();
      }),
    );
  });
});
