import { decodeAddress, sysvarAddresses } from "@lamplight/codecs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountKeyOf, addressOfKey } from "./account-key.ts";
import { u64FromColumn, u64ToColumn } from "./u64-column.ts";

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
