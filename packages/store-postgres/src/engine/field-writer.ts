import { writeZeroRuns } from "@lamplight/codecs";
import { type ElementType, elementTypes } from "./array-parameter.ts";

/**
 * Writes values in the server's binary format, each after its length: the fields of a row of COPY, or the elements of
 * an array. It serves millions of rows, where an array per row would cost more than sending it. The buffer doubles when
 * it is full.
 */
export class FieldWriter {
  #bytes: Uint8Array;
  #view: DataView;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** @param bytesMax - of the whole row: nothing after this asks for room */
  beginRow(fields: number, bytesMax: number): void {
    this.reserve(bytesMax);
    this.#view.setInt16(this.length, fields);
    this.length += 2;
  }

  /** The header of an array parameter. */
  beginArray(type: ElementType, elements: number): void {
    for (const word of [1, 1, elementTypes[type], elements, 1]) {
      this.#view.setInt32(this.length, word);
      this.length += 4;
    }
  }

  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, needed));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  null(): void {
    this.#view.setInt32(this.length, -1);
    this.length += 4;
  }

  /** Addresses are so short that a loop is faster than a copy call. */
  bytes(value: Uint8Array): void {
    const bytes = this.#bytes;
    let at = this.#sized(value.length);
    for (let index = 0; index < value.length; index += 1, at += 1) bytes[at] = value[index] as number;
    this.length = at;
  }

  bytesOrNull(value: Uint8Array | null): void {
    if (value === null) this.null();
    else this.bytes(value);
  }

  boolean(value: boolean): void {
    this.#bytes[this.#sized(1)] = Number(value);
    this.length += 1;
  }

  /** Returns the offset of the value. */
  int2(value: number): number {
    const at = this.#sized(2);
    this.#view.setInt16(at, value);
    this.length += 2;
    return at;
  }

  setInt2(at: number, value: number): void {
    this.#view.setInt16(at, value);
  }

  int4(value: number): void {
    this.#view.setInt32(this.#sized(4), value);
    this.length += 4;
  }

  /** @param value - 0 to 2^53 - 1 */
  int8(value: number): void {
    const at = this.#sized(8);
    this.#view.setUint32(at, Math.floor(value / 2 ** 32));
    this.#view.setUint32(at + 4, value >>> 0);
    this.length += 8;
  }

  /** Shifted down by 2^63, as every u64 is kept: the same bits with the first one turned. */
  u64(value: bigint): void {
    const at = this.#sized(8);
    this.#view.setBigUint64(at, value);
    this.#bytes[at] = (this.#bytes[at] as number) ^ 0x80;
    this.length += 8;
  }

  /** Account data. Returns whether it was stored coded. */
  zeroRuns(data: Uint8Array): boolean {
    const at = this.#sized(data.length);
    const coded = writeZeroRuns(data, this.#bytes, at);
    if (coded === null) this.#bytes.set(data, at);
    else this.#view.setInt32(at - 4, coded);
    this.length += coded ?? data.length;
    return coded !== null;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** The same as the driver needs a parameter. */
  parameter(): Buffer {
    return Buffer.from(this.#bytes.buffer, 0, this.length);
  }

  /** Writes a length; answers where the value goes. */
  #sized(length: number): number {
    this.#view.setInt32(this.length, length);
    this.length += 4;
    return this.length;
  }
}
