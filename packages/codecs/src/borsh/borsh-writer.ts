const textEncoder = new TextEncoder();
const BYTES_AT_START = 256;
const LENGTH_BYTES = 4;
/** The longest encoding of one UTF-16 unit. */
const UTF8_BYTES_MAX = 3;

/** Writes Borsh values front to back; grows as needed. */
export class BorshWriter {
  #bytes = new Uint8Array(BYTES_AT_START);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Starts again in the same memory. */
  clear(): this {
    this.#length = 0;
    return this;
  }

  u8(value: number): this {
    const start = this.#grow(1);
    this.#view.setUint8(start, value);
    return this;
  }

  u16(value: number): this {
    const start = this.#grow(2);
    this.#view.setUint16(start, value, true);
    return this;
  }

  u32(value: number): this {
    const start = this.#grow(4);
    this.#view.setUint32(start, value, true);
    return this;
  }

  u64(value: bigint): this {
    const start = this.#grow(8);
    this.#view.setBigUint64(start, value, true);
    return this;
  }

  /** A u64 below 2^53. */
  counter(value: number): this {
    return this.u32(value % 2 ** 32).u32(Math.floor(value / 2 ** 32));
  }

  bool(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  bytes(value: Uint8Array): this {
    const start = this.#grow(value.length);
    this.#bytes.set(value, start);
    return this;
  }

  text(value: string): this {
    const lengthAt = this.#grow(LENGTH_BYTES + value.length * UTF8_BYTES_MAX);
    const start = lengthAt + LENGTH_BYTES;
    const { written } = textEncoder.encodeInto(value, this.#bytes.subarray(start));
    this.#view.setUint32(lengthAt, written, true);
    this.#length = start + written;
    return this;
  }

  option<Value>(value: Value | null, write: (value: Value, writer: this) => unknown): this {
    this.bool(value !== null);
    if (value !== null) write(value, this);
    return this;
  }

  list<Value>(values: readonly Value[], write: (value: Value) => unknown): this {
    this.u32(values.length);
    for (const value of values) write(value);
    return this;
  }

  /** The bytes written so far; a view, valid until the next write. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** May replace the buffer and its view: call it before reading either. */
  #grow(length: number): number {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }
}
