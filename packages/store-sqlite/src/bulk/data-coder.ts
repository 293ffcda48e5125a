const LITERAL_BYTES_MAX = 128;
const ZERO_RUN_MAX = 128;

/** Used again for each batch; results are copied out of it. */
let scratch = new Uint8Array(0);

/**
 * Writes the data of many accounts one after the other, zero-run coded where that is smaller: the
 * same bytes as `encodeZeroRuns`, without an array per account. One account at a time.
 */
export class DataCoder {
  readonly #from: Uint8Array;
  readonly #words: Uint32Array;
  length = 0;

  /** @param bytesMax - of all data together, uncoded */
  constructor(from: Buffer, bytesMax: number) {
    this.#from = new Uint8Array(from.buffer, from.byteOffset, from.length);
    this.#words = new Uint32Array(from.buffer, from.byteOffset, from.length >>> 2);
    if (scratch.length < bytesMax) scratch = new Uint8Array(Math.ceil(bytesMax * ROOM_TO_GROW));
  }

  /** Whether the data was coded; otherwise it is copied unchanged. */
  add(start: number, count: number): boolean {
    const coded = code(this.#from, this.#words, start, start + count, scratch, this.length);
    if (coded < 0) scratch.set(this.#from.subarray(start, start + count), this.length);
    this.length += coded < 0 ? count : coded;
    return coded >= 0;
  }

  /** Memory of its own. */
  written(): Uint8Array {
    return scratch.slice(0, this.length);
  }
}

const ROOM_TO_GROW = 1.25;

/** Bytes written, or -1 where they would not be fewer. Data begin at a multiple of four. */
const code = (
  data: Uint8Array,
  words: Uint32Array,
  start: number,
  end: number,
  out: Uint8Array,
  at: number,
): number => {
  const outEnd = at + (end - start);
  let from = start;
  let to = at;
  while (from < end) {
    // A run of zeros, two at least.
    let next = from;
    const runEnd = Math.min(end, from + ZERO_RUN_MAX);
    while (next < runEnd && data[next] === 0) {
      next += 1;
      if ((next & 3) === 0) while (next + 4 <= runEnd && words[next >>> 2] === 0) next += 4;
    }
    if (next - from >= 2) {
      if (to >= outEnd) return -1;
      out[to] = 127 + (next - from);
      to += 1;
      from = next;
      continue;
    }
    // Literals up to the next such run.
    const literalEnd = Math.min(end, from + LITERAL_BYTES_MAX);
    const control = to;
    to += 1;
    next = from;
    let byte = data[next] as number;
    for (;;) {
      out[to] = byte;
      to += 1;
      next += 1;
      if (next >= literalEnd) break;
      byte = data[next] as number;
      if (byte === 0 && next + 1 < end && data[next + 1] === 0) break;
    }
    if (to >= outEnd) return -1;
    out[control] = next - from - 1;
    from = next;
  }
  return to < outEnd ? to - at : -1;
};
