import { GrowingBytes } from "@lamplight/codecs";

/** Type of a cell. */
export const cellKinds = { null: 0, number: 1, bigint: 2, bytes: 3, ordinal: 4 } as const;

/** Rows of one table, cell after cell, packed so that they can be transferred between threads. */
export interface PackedRows {
  readonly cells: number;
  readonly kinds: Uint8Array;
  /** A number; of bytes, where they begin in `bytes`; of an ordinal, how far it lies behind the first of the page. */
  readonly numbers: Float64Array;
  /** The same memory, for numbers above 2^53. */
  readonly bigints: BigInt64Array;
  readonly lengths: Uint32Array;
  /** Blobs, and texts in UTF-8. */
  readonly bytes: Uint8Array;
}

/** Takes cells in the order of the columns. */
export class RowPacker {
  readonly #bytes = new GrowingBytes(64 * 1024);
  #kinds = new Uint8Array(1024);
  #numbers = new Float64Array(1024);
  #bigints = new BigInt64Array(this.#numbers.buffer);
  #lengths = new Uint32Array(1024);
  #cells = 0;

  null(): void {
    this.#next(cellKinds.null);
  }

  number(value: number): void {
    const cell = this.#next(cellKinds.number);
    this.#numbers[cell] = value;
  }

  ordinal(behindFirst: number): void {
    const cell = this.#next(cellKinds.ordinal);
    this.#numbers[cell] = behindFirst;
  }

  /** A value of a statement; texts become bytes. */
  value(value: unknown): void {
    if (value === null) this.null();
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "bigint") this.#bigint(value);
    else if (typeof value === "string") this.text(value);
    else this.blob(value as Uint8Array);
  }

  text(text: string): void {
    const start = this.#bytes.length;
    const length = this.#bytes.addText(text);
    const cell = this.#next(cellKinds.bytes);
    this.#numbers[cell] = start;
    this.#lengths[cell] = length;
  }

  blob(bytes: Uint8Array): void {
    const start = this.#bytes.length;
    this.#bytes.addBytes(bytes);
    const cell = this.#next(cellKinds.bytes);
    this.#numbers[cell] = start;
    this.#lengths[cell] = bytes.length;
  }

  pack(): PackedRows {
    const numbers = this.#numbers.slice(0, this.#cells);
    return {
      cells: this.#cells,
      kinds: this.#kinds.slice(0, this.#cells),
      numbers,
      bigints: new BigInt64Array(numbers.buffer),
      lengths: this.#lengths.slice(0, this.#cells),
      bytes: this.#bytes.written(),
    };
  }

  #bigint(value: bigint): void {
    const cell = this.#next(cellKinds.bigint);
    this.#bigints[cell] = value;
  }

  #next(kind: number): number {
    if (this.#cells === this.#kinds.length) this.#grow();
    const cell = this.#cells;
    this.#cells += 1;
    this.#kinds[cell] = kind;
    return cell;
  }

  #grow(): void {
    const size = 2 * this.#cells;
    const kinds = new Uint8Array(size);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
    const bigints = new BigInt64Array(size);
    bigints.set(this.#bigints);
    this.#bigints = bigints;
    this.#numbers = new Float64Array(bigints.buffer);
    const lengths = new Uint32Array(size);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }
}

/** Memory that is transferred with the rows. */
export const packedBuffers = ({ kinds, numbers, lengths, bytes }: PackedRows): ArrayBufferLike[] => [
  kinds.buffer,
  numbers.buffer,
  lengths.buffer,
  bytes.buffer,
];
