import { u32At, u64At } from "./uint-at.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads little-endian fields one after another, and never outside its bytes.
 *
 * A read past the end, or a tag that is not allowed, sets `failed` and gives zeros from then on. So a decoder reads
 * straight through and asks once at the end. Lists ask for room first, so that a hostile count costs nothing.
 */
export class ByteCursor {
  failed = false;
  offset: number;
  readonly #bytes: Uint8Array;
  /** Made for the first field that needs one: most cursors live for keys and small numbers only. */
  #dataView: DataView | null = null;

  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  get remaining(): number {
    return Math.max(0, this.#bytes.length - this.offset);
  }

  u8(): number {
    const at = this.#take(1);
    return at < 0 ? 0 : (this.#bytes[at] as number);
  }

  u16(): number {
    const at = this.#take(2);
    return at < 0 ? 0 : (this.#bytes[at] as number) | ((this.#bytes[at + 1] as number) << 8);
  }

  i16(): number {
    const at = this.#take(2);
    return at < 0 ? 0 : this.#view().getInt16(at, true);
  }

  u32(): number {
    const at = this.#take(4);
    return at < 0 ? 0 : u32At(this.#bytes, at);
  }

  u64(): bigint {
    const at = this.#take(8);
    return at < 0 ? 0n : u64At(this.#bytes, at);
  }

  i64(): bigint {
    const at = this.#take(8);
    return at < 0 ? 0n : this.#view().getBigInt64(at, true);
  }

  u128(): bigint {
    const low = this.u64();
    return (this.u64() << 64n) | low;
  }

  f64(): number {
    const at = this.#take(8);
    return at < 0 ? 0 : this.#view().getFloat64(at, true);
  }

  /** One byte that must be 0 or 1. */
  strictBool(): boolean {
    const value = this.u8();
    if (value > 1) this.failed = true;
    return value === 1;
  }

  /** A view, not a copy. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return at < 0 ? new Uint8Array(0) : this.#bytes.subarray(at, at + length);
  }

  /** 32 bytes; empty after a failure. */
  key(): Uint8Array {
    return this.bytes(32);
  }

  /** UTF-8 text of `length` bytes; bytes that are not UTF-8 fail. */
  text(length: number): string {
    try {
      return utf8.decode(this.bytes(length));
    } catch {
      this.failed = true;
      return "";
    }
  }

  /** One-byte option: 0 = null without a payload, 1 = payload, anything else fails. */
  option<T>(read: (cursor: ByteCursor) => T): T | null {
    return this.strictBool() ? read(this) : null;
  }

  /** A u64 count and that many items, each of at least `itemBytes` bytes; empty after a failure. */
  list<T>(itemBytes: number, read: () => T): T[] {
    const count = this.u64();
    const items: T[] = [];
    if (!this.hasItems(count, itemBytes)) return items;
    for (let index = 0n; index < count && !this.failed; index += 1n) items.push(read());
    return items;
  }

  /** Whether `count` items of at least `itemBytes` bytes can still follow; fails the cursor when not. */
  hasItems(count: bigint | number, itemBytes: number): boolean {
    if (this.failed || BigInt(count) * BigInt(itemBytes) > BigInt(this.remaining)) this.failed = true;
    return !this.failed;
  }

  #view(): DataView {
    const { buffer, byteOffset, byteLength } = this.#bytes;
    return (this.#dataView ??= new DataView(buffer, byteOffset, byteLength));
  }

  /** Offset of the next `length` bytes, or -1 when they are not there. */
  #take(length: number): number {
    const at = this.offset;
    if (this.failed || at + length > this.#bytes.length) {
      this.failed = true;
      return -1;
    }
    this.offset = at + length;
    return at;
  }
}
