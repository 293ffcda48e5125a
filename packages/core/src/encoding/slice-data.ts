/** A part of an account's data, in bytes; both members 0 to 2^64 - 1. */
export interface SliceBounds {
  readonly offset: number | bigint;
  readonly length: number | bigint;
}

/** The part of `data` that `slice` names, as a view: clipped at the end, never an error. Null = all of it. */
export const sliceData = (data: Uint8Array, slice: SliceBounds | null): Uint8Array => {
  if (slice === null) return data;
  const start = clip(BigInt(slice.offset), data.length);
  return data.subarray(start, clip(BigInt(start) + BigInt(slice.length), data.length));
};

const clip = (offset: bigint, length: number): number => (offset < BigInt(length) ? Number(offset) : length);
