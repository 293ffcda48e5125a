const textEncoder = new TextEncoder();

/** Writes little-endian fields in order, and grows as needed. */
export class ByteWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  u8(value: number | boolean): this {
    const offset = this.#take(1);
    this.#view.setUint8(offset, Number(value));
    return this;
  }

  u16(value: number): this {
    const offset = this.#take(2);
    this.#view.setUint16(offset, value, true);
    return this;
  }

  i16(value: number): this {
    const offset = this.#take(2);
    this.#view.setInt16(offset, value, true);
    return this;
  }

  u32(value: number): this {
    const offset = this.#take(4);
    this.#view.setUint32(offset, value, true);
    return this;
  }

  u64(value: bigint | number): this {
    const offset = this.#take(8);
    this.#view.setBigUint64(offset, BigInt(value), true);
    return this;
  }

  i64(value: bigint | number): this {
    const offset = this.#take(8);
    this.#view.setBigInt64(offset, BigInt(value), true);
    return this;
  }

  f64(value: number): this {
    const offset = this.#take(8);
    this.#view.setFloat64(offset, value, true);
    return this;
  }

  bytes(value: Uint8Array): this {
    const offset = this.#take(value.length);
    this.#bytes.set(value, offset);
    return this;
  }

  zeros(count: number): this {
    this.#take(count);
    return this;
  }

  /** u32 length and UTF-8 bytes, padded with NUL to `padTo` bytes as the Token Metadata program stores text. */
  text(value: string, padTo = 0): this {
    const bytes = textEncoder.encode(value);
    const length = Math.max(bytes.length, padTo);
    return this.u32(length)
      .bytes(bytes)
      .zeros(length - bytes.length);
  }

  /** Borsh option: a tag byte, then the value when there is one. */
  option<T>(value: T | null, write: (writer: this, value: T) => unknown): this {
    this.u8(value !== null);
    if (value !== null) write(this, value);
    return this;
  }

  /** C option of the token programs: a u32 tag, then 32 bytes regardless of the tag. */
  optionKey(value: Uint8Array | null): this {
    this.u32(value === null ? 0 : 1);
    return value === null ? this.zeros(32) : this.bytes(value);
  }

  /** 32 bytes, all zero for none: how extensions of Token-2022 leave out a key. */
  nonZeroKey(value: Uint8Array | null): this {
    return value === null ? this.zeros(32) : this.bytes(value);
  }

  /** The bytes written so far, padded with zeros to `length` when it is longer. */
  finish(length = 0): Uint8Array {
    const end = Math.max(length, this.#length);
    const bytes = new Uint8Array(end);
    bytes.set(this.#bytes.subarray(0, this.#length));
    return bytes;
  }

  /** May replace the bytes and their view: call it before reading either. */
  #take(count: number): number {
    const offset = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return offset;
  }
}
