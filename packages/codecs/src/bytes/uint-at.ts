// Little-endian numbers where they stand, the bytes known to be there. Making a view for one number takes longer.

export const u32At = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)) >>>
  0;

/** Nearly all amounts and counters are below 2^53, where one conversion of a double does. */
export const u64At = (bytes: Uint8Array, at: number): bigint => {
  const low = u32At(bytes, at);
  const high = u32At(bytes, at + 4);
  return high < EXACT_HIGHS ? BigInt(high * 2 ** 32 + low) : (BigInt(high) << 32n) | BigInt(low);
};

const EXACT_HIGHS = 2 ** 21;
