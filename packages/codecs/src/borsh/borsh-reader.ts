import { LamplightError } from "@lamplight/errors";
import { u32At, u64At } from "../bytes/uint-at.ts";

const textDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Items that may still be read. Readers may share it. */
export interface ItemBudget {
  left: number;
}

/**
 * Reads Borsh values (little-endian, u32 counts) front to back from untrusted bytes. Every read is checked against the
 * end, so a hostile count costs nothing: lists are read item by item and run out of bytes first.
 *
 * Slices are views of the input; anyone who keeps them longer than the input copies them.
 */
export class BorshReader {
  readonly #kind: string;
  readonly #bytes: Uint8Array;
  readonly #items: ItemBudget;
  #offset: number;

  /**
   * @param kind - what is being read, for the error: `change log`, `mint_v1 arguments`
   * @param items - items of all lists together, where an account may have too many
   */
  constructor(kind: string, bytes: Uint8Array, offset = 0, items: ItemBudget = { left: Infinity }) {
    this.#kind = kind;
    this.#bytes = bytes;
    this.#items = items;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  u16(): number {
    const at = this.#take(2);
    return (this.#bytes[at] as number) | ((this.#bytes[at + 1] as number) << 8);
  }

  u32(): number {
    return u32At(this.#bytes, this.#take(4));
  }

  u64(): bigint {
    return u64At(this.#bytes, this.#take(8));
  }

  /** A u64 that physically stays below 2^53 (sequence numbers, leaf indexes); anything above is refused. */
  counter(name: string): number {
    const at = this.#take(8);
    const value = u32At(this.#bytes, at + 4) * 2 ** 32 + u32At(this.#bytes, at);
    if (value > Number.MAX_SAFE_INTEGER) this.fail(`${name} ${value} is not a counter`);
    return value;
  }

  /** Borsh allows 0 and 1 only. */
  bool(): boolean {
    const value = this.u8();
    if (value > 1) this.fail(`${value} is not a boolean`);
    return value === 1;
  }

  key(): Uint8Array {
    return this.bytes(32);
  }

  skip(length: number): void {
    this.#take(length);
  }

  bytes(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** The bytes that were read since `offset`. */
  since(offset: number): Uint8Array {
    return this.#bytes.subarray(offset, this.#offset);
  }

  text(): string {
    const bytes = this.bytes(this.u32());
    try {
      return textDecoder.decode(bytes);
    } catch {
      return this.fail("text is not UTF-8");
    }
  }

  option<Value>(read: () => Value): Value | null {
    return this.bool() ? read() : null;
  }

  /** @param itemBytesMin - least bytes of an item: a count that cannot fit is refused before the first item is read */
  list<Value>(itemBytesMin: number, read: () => Value): Value[] {
    const count = this.u32();
    if (count * itemBytesMin > this.remaining) this.fail(`a list of ${count} items does not fit`);
    if (count > this.#items.left) this.fail(`a list of ${count} items is too long`);
    this.#items.left -= count;
    const items: Value[] = [];
    for (let index = 0; index < count; index += 1) items.push(read());
    return items;
  }

  /** Refuses bytes after the last value. */
  end(): void {
    if (this.remaining !== 0) this.fail(`${this.remaining} bytes follow the last value`);
  }

  fail(reason: string): never {
    throw new LamplightError("CODEC__MALFORMED", { kind: this.#kind, reason });
  }

  #take(length: number): number {
    const start = this.#offset;
    if (length > this.#bytes.length - start)
      this.fail(`${length} bytes needed at ${start}, ${this.remaining} left`);
    this.#offset = start + length;
    return start;
  }
}
