import { decodeAddress, sysvarAddresses } from "@lamplight/codecs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountKeyOf, addressOfKey } from "./account-key.ts";

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
