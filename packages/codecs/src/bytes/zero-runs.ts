// The form in which stores keep account data. Files on disk depend on it, so the coding never changes. Account data is
// mostly zeros: token accounts and mints shrink by about 40 %. A control byte below 128 says "that many plus one
// literal bytes follow"; from 128 up it stands for a run of (control - 127) zeros.

const LITERAL_BYTES_MAX = 128;
const ZERO_RUN_MAX = 128;
/** A lone zero is cheaper as a literal than as a break between two literals. */
const ZERO_RUN_MIN = 2;
/** No account on chain is larger than 10 MiB; more can only be a damaged row. */
const DECODED_BYTES_MAX = 64 * 1024 * 1024;

let scratch = new Uint8Array(4096);

/** The coded form, or null where it would not be smaller than the data. */
export const encodeZeroRuns = (data: Uint8Array): Uint8Array | null => {
  if (scratch.length < data.length) scratch = new Uint8Array(data.length);
  const length = writeZeroRuns(data, scratch, 0);
  return length === null ? null : scratch.slice(0, length);
};

/**
 * Writes the coded form into `out` from `at` on, where there must be room for the data itself. Answers its length, or
 * null where it would not be smaller than the data; what was written then means nothing.
 */
export const writeZeroRuns = (data: Uint8Array, out: Uint8Array, at: number): number | null => {
  const { length } = data;
  const end = at + length;
  let from = 0;
  let to = at;
  while (from < length) {
    const zeros = countZeros(data, from);
    if (zeros >= ZERO_RUN_MIN) {
      if (to >= end) return null;
      out[to] = 127 + zeros;
      to += 1;
      from += zeros;
      continue;
    }
    const literals = countLiterals(data, from);
    if (to + literals >= end) return null;
    out[to] = literals - 1;
    for (let index = 0; index < literals; index += 1) out[to + 1 + index] = data[from + index] as number;
    to += literals + 1;
    from += literals;
  }
  return to < end ? to - at : null;
};

/** The data behind the coded form; null when the coded form is damaged. */
export const decodeZeroRuns = (coded: Uint8Array): Uint8Array | null => {
  const length = decodedLength(coded);
  if (length === null) return null;
  const data = takeZeros(length);
  let from = 0;
  let to = 0;
  while (from < coded.length) {
    const control = coded[from] as number;
    from += 1;
    if (control >= 128) {
      to += control - 127;
      continue;
    }
    for (const end = from + control + 1; from < end; from += 1, to += 1) data[to] = coded[from] as number;
  }
  return data;
};

/** Data is cut from slabs: a buffer of its own for each account costs more than its decoding. */
const SLAB_BYTES = 16_384;
/** Larger data gets its own buffer, so that a slab kept alive by one account is never much larger than what it holds. */
const CUT_BYTES_MAX = 1024;
let slab = new ArrayBuffer(SLAB_BYTES);
let slabAt = 0;

/** Bytes that are zero and belong to no one else. */
const takeZeros = (length: number): Uint8Array => {
  if (length > CUT_BYTES_MAX) return new Uint8Array(length);
  if (slabAt + length > SLAB_BYTES) {
    slab = new ArrayBuffer(SLAB_BYTES);
    slabAt = 0;
  }
  const bytes = new Uint8Array(slab, slabAt, length);
  slabAt += length;
  return bytes;
};

/** Fills `data` with the first bytes behind the coded form, of which the rest may be cut off. */
export const decodeZeroRunsStart = (coded: Uint8Array, data: Uint8Array): Uint8Array => {
  const { length } = data;
  data.fill(0);
  let from = 0;
  let to = 0;
  while (from < coded.length && to < length) {
    const control = coded[from] as number;
    from += 1;
    if (control >= 128) {
      to += control - 127;
      continue;
    }
    for (const end = from + control + 1; from < end && to < length; from += 1, to += 1) {
      data[to] = coded[from] as number;
    }
  }
  return data;
};

const decodedLength = (coded: Uint8Array): number | null => {
  let from = 0;
  let length = 0;
  while (from < coded.length) {
    const control = coded[from] as number;
    length += control >= 128 ? control - 127 : control + 1;
    from += control >= 128 ? 1 : control + 2;
  }
  return from === coded.length && length <= DECODED_BYTES_MAX ? length : null;
};

const countZeros = (data: Uint8Array, from: number): number => {
  const end = Math.min(data.length, from + ZERO_RUN_MAX);
  let at = from;
  while (at < end && data[at] === 0) at += 1;
  return at - from;
};

/** Bytes up to the next run of zeros that is worth coding. */
const countLiterals = (data: Uint8Array, from: number): number => {
  const end = Math.min(data.length, from + LITERAL_BYTES_MAX);
  let at = from + 1;
  while (at < end && !(data[at] === 0 && data[at + 1] === 0)) at += 1;
  return at - from;
};
