/**
 * Small fast counting generator (sfc32) on 32-bit integers: the same seeds give the same bytes on every machine,
 * which floating-point functions of the engine would not promise.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** Streams of different (seed, stream, index) are independent. */
  constructor(seed: number, stream: number, index: number) {
    this.#a = seed >>> 0;
    this.#b = stream >>> 0;
    this.#c = index >>> 0;
    // The first outputs still show the seeds' bits.
    for (let round = 0; round < 15; round += 1) this.u32();
  }

  /** 0 to 2^32 - 1. */
  u32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  u64(): bigint {
    return (BigInt(this.u32()) << 32n) | BigInt(this.u32());
  }

  /** 0 to `end` - 1; `end` at most 2^32. */
  below(end: number): number {
    return Number((BigInt(this.u32()) * BigInt(end)) >> 32n);
  }

  /** `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True in `percent` of 100 cases. */
  percent(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /**
   * 0 to `end` - 1. Low numbers are far more frequent: each power of two of ranks is as likely as the next, so rank r
   * has a probability of about 1/r.
   */
  rank(end: number): number {
    const levels = 32 - Math.clz32(Math.max(1, end) - 1);
    const level = this.below(levels + 1);
    return Math.min(this.below(2 ** level), end - 1);
  }

  /** The number of heads that a coin shows before tails, at most 31: the exponent of a power law. */
  heads(): number {
    return Math.min(31, Math.clz32(this.u32()));
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let offset = 0; offset < length; offset += 4) {
      const word = this.u32();
      for (let byte = 0; byte < 4 && offset + byte < length; byte += 1) {
        bytes[offset + byte] = (word >>> (8 * byte)) & 255;
      }
    }
    return bytes;
  }
}
