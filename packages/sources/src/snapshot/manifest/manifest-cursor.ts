import { damaged } from "../archive/archive-fault.ts";

/** A step of a parser. It yields when it needs more bytes. */
export type Steps<Result> = Generator<void, Result, void>;

/**
 * Reads numbers and hashes from a manifest that arrives in chunks. Methods are generators: they yield while they wait
 * for bytes. Memory holds one chunk, however large the manifest is.
 */
export class ManifestCursor {
  /** Bytes of the whole manifest. */
  readonly size: number;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Bytes read and released. */
  #before = 0;

  constructor(size: number) {
    this.size = size;
  }

  get position(): number {
    return this.#before + this.#at;
  }

  get remaining(): number {
    return this.size - this.position;
  }

  feed(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#at);
    this.#before += this.#at;
    this.#bytes = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
    this.#at = 0;
  }

  *skip(count: number): Steps<void> {
    this.#assertRemaining(count);
    let missing = count;
    for (;;) {
      const here = Math.min(missing, this.#bytes.length - this.#at);
      this.#at += here;
      missing -= here;
      if (missing === 0) return;
      yield;
    }
  }

  *u8(): Steps<number> {
    const at = yield* this.#take(1);
    return this.#bytes.readUInt8(at);
  }

  *u32(): Steps<number> {
    const at = yield* this.#take(4);
    return this.#bytes.readUInt32LE(at);
  }

  *u64(): Steps<bigint> {
    const at = yield* this.#take(8);
    return this.#bytes.readBigUInt64LE(at);
  }

  *i64(): Steps<bigint> {
    const at = yield* this.#take(8);
    return this.#bytes.readBigInt64LE(at);
  }

  /** A u64 that stays below 2^53: a slot, an id, a length. */
  *safeNumber(what: string): Steps<number> {
    const start = this.position;
    const value = yield* this.u64();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged(`${what} is ${value}`, start);
    return Number(value);
  }

  /** The number of elements that follow; it must fit into what is left. */
  *count(elementBytesMin: number, what: string): Steps<number> {
    const start = this.position;
    const value = yield* this.u64();
    if (value * BigInt(elementBytesMin) > BigInt(this.remaining)) {
      throw damaged(`${value} ${what} do not fit into the ${this.remaining} bytes that follow`, start);
    }
    return Number(value);
  }

  /** A byte 0 or 1. */
  *isPresent(what: string): Steps<boolean> {
    const start = this.position;
    const tag = yield* this.u8();
    if (tag > 1) throw damaged(`${what} has the option byte ${tag}`, start);
    return tag === 1;
  }

  /** A copy. */
  *bytes(count: number): Steps<Uint8Array> {
    const at = yield* this.#take(count);
    return new Uint8Array(this.#bytes.subarray(at, at + count));
  }

  /** Offset of the bytes in the current chunk. For small counts: waits until all of them are there. */
  *#take(count: number): Steps<number> {
    this.#assertRemaining(count);
    while (this.#bytes.length - this.#at < count) yield;
    const at = this.#at;
    this.#at += count;
    return at;
  }

  #assertRemaining(count: number): void {
    if (count > this.remaining) throw damaged("the manifest ends in the middle of a field", this.position);
  }
}
