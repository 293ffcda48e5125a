/** A loop copies so few bytes in less time than a call of the engine takes. */
const SHORT_BYTES = 16;

/** Bytes that grow by doubling. */
export class GrowingBytes {
  #bytes: Buffer;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  add(from: Buffer, start: number, count: number): void {
    this.reserve(count);
    from.copy(this.#bytes, this.length, start, start + count);
    this.length += count;
  }

  addByte(byte: number): void {
    this.reserve(1);
    this.#bytes[this.length] = byte;
    this.length += 1;
  }

  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    if (bytes.length > SHORT_BYTES) this.#bytes.set(bytes, this.length);
    else for (let at = 0; at < bytes.length; at += 1) this.#bytes[this.length + at] = bytes[at]!;
    this.length += bytes.length;
  }

  /** Answers the number of bytes. */
  addText(text: string): number {
    this.reserve(3 * text.length);
    const count = this.#bytes.write(text, this.length, "utf8");
    this.length += count;
    return count;
  }

  /** A copy of just what was filled, in memory of its own. */
  written(): Uint8Array {
    const copy = new Uint8Array(this.length);
    copy.set(this.#bytes.subarray(0, this.length));
    return copy;
  }

  /** The filled part, in the same memory: nothing may be added any more. */
  taken(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.length + count));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
