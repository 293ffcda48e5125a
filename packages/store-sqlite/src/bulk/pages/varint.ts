// Integers of one to nine bytes, seven bits each, the highest first; the ninth byte has eight:
// https://www.sqlite.org/fileformat2.html#varint

export const VARINT_BYTES_MAX = 9;

/** A number below 2^32. Answers where it ends. */
export const writeVarint = (out: Uint8Array, at: number, value: number): number => {
  let to = at;
  for (let shift = 28; shift > 0; shift -= 7) {
    const rest = value >>> shift;
    if (rest > 0) out[to++] = (rest & 0x7f) | 0x80;
  }
  out[to] = value & 0x7f;
  return to + 1;
};

/** A signed number of 64 bits in two words. Answers where it ends. */
export const writeKey = (out: Uint8Array, at: number, high: number, low: number): number => {
  if (high === 0) return writeVarint(out, at, low);
  if (high >>> 24 === 0) return writeShortKey(out, at, high, low);
  out[at] = (high >>> 25) | 0x80;
  out[at + 1] = (high >>> 18) | 0x80;
  out[at + 2] = (high >>> 11) | 0x80;
  out[at + 3] = (high >>> 4) | 0x80;
  out[at + 4] = (high << 3) | (low >>> 29) | 0x80;
  out[at + 5] = (low >>> 22) | 0x80;
  out[at + 6] = (low >>> 15) | 0x80;
  out[at + 7] = (low >>> 8) | 0x80;
  out[at + 8] = low;
  return at + VARINT_BYTES_MAX;
};

/** Writes a key of 33 to 56 bits. */
const writeShortKey = (out: Uint8Array, at: number, high: number, low: number): number => {
  // Exact: below 2^56, of which the last seven bits are taken apart.
  const upper = high * 2 ** 25 + (low >>> 7);
  const groups: number[] = [low & 0x7f];
  for (let rest = upper; rest > 0; rest = Math.floor(rest / 128)) groups.push((rest % 128) | 0x80);
  for (const [index, group] of groups.toReversed().entries()) out[at + index] = group;
  return at + groups.length;
};
