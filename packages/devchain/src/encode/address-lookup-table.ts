import { ByteWriter } from "./byte-writer.ts";

/** An active lookup table: a header of 56 bytes, then its addresses. */
export const encodeLookupTable = (
  authority: Uint8Array | null,
  extendedSlot: number,
  addresses: readonly Uint8Array[],
): Uint8Array => {
  const writer = new ByteWriter();
  writer
    .u32(1)
    .u64(2n ** 64n - 1n)
    .u64(extendedSlot)
    .u8(0);
  writer
    .u8(authority !== null)
    .nonZeroKey(authority)
    .zeros(2);
  for (const address of addresses) writer.bytes(address);
  return writer.finish();
};
