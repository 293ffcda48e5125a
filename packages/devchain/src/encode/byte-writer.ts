import { BorshWriter } from "@lamplight/codecs";

const textEncoder = new TextEncoder();

/** Writes Borsh values, and what programs write that do not use Borsh. */
export class ByteWriter extends BorshWriter {
  /** Bytes written so far. */
  get length(): number {
    return super.finish().length;
  }

  override u8(value: number | boolean): this {
    return super.u8(Number(value));
  }

  i16(value: number): this {
    return this.u16(value & 0xffff);
  }

  override u64(value: bigint | number): this {
    return super.u64(BigInt(value));
  }

  i64(value: bigint | number): this {
    return this.u64(BigInt.asUintN(64, BigInt(value)));
  }

  f64(value: number): this {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return this.bytes(bytes);
  }

  zeros(count: number): this {
    return this.bytes(new Uint8Array(count));
  }

  /** u32 length and UTF-8 bytes, padded with NUL to `padTo` bytes as the Token Metadata program stores text. */
  override text(value: string, padTo = 0): this {
    const bytes = textEncoder.encode(value);
    const length = Math.max(bytes.length, padTo);
    return this.u32(length)
      .bytes(bytes)
      .zeros(length - bytes.length);
  }

  /** C option of the token programs: a u32 tag, then 32 bytes regardless of the tag. */
  optionKey(value: Uint8Array | null): this {
    return this.u32(value === null ? 0 : 1).nonZeroKey(value);
  }

  /** 32 bytes, all zero for none: how extensions of Token-2022 leave out a key. */
  nonZeroKey(value: Uint8Array | null): this {
    return value === null ? this.zeros(32) : this.bytes(value);
  }

  /** A copy of the bytes written so far, padded with zeros to `length` when it is longer. */
  override finish(length = 0): Uint8Array<ArrayBuffer> {
    const written = super.finish();
    const bytes = new Uint8Array(Math.max(length, written.length));
    bytes.set(written);
    return bytes;
  }
}
