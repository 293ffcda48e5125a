/** A bucket is so many entries of the main list: few to walk through, and the counts of all are few. */
export const BUCKET_BITS = 14;

const ALL_BITS = 0xffff_ffff;

/** A bitmap with so many set bits. */
export const allLive = (length: number): Uint32Array => {
  const bits = new Uint32Array((length >>> 5) + 1).fill(ALL_BITS);
  bits[length >>> 5] = 2 ** (length & 31) - 1;
  return bits;
};

/** Entries of each bucket. Some may wait behind the last. */
export const allCounted = (length: number): Uint32Array => {
  const counts = new Uint32Array((length >>> BUCKET_BITS) + 1).fill(1 << BUCKET_BITS);
  counts[length >>> BUCKET_BITS] = length % (1 << BUCKET_BITS);
  return counts;
};
