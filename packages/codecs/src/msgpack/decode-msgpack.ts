/**
 * A MessagePack value that JSON can say. Integers beyond 2^53 are `bigint`, floats that JSON lacks (NaN, infinities)
 * are null, maps are objects without a prototype, so that no key is special.
 */
export type MsgPackValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly MsgPackValue[]
  | { readonly [key: string]: MsgPackValue };

/** Deeper nesting is refused. */
const DEPTH_MAX = 64;

/**
 * Decodes exactly one value that fills `data`. `undefined` for everything else: damage, trailing bytes, nesting over
 * 64 levels, too many values, and what JSON cannot say (binary, extension types, keys that are not text).
 *
 * @param valuesMax - more are refused: a byte each on chain, many times that in memory and as JSON
 */
export const decodeMsgPack = (data: Uint8Array, valuesMax: number): MsgPackValue | undefined => {
  const reader = new MsgPackReader(data, valuesMax);
  try {
    const value = reader.value(0);
    return reader.atEnd ? value : undefined;
  } catch (error) {
    if (error instanceof NotMsgPack) return undefined;
    throw error;
  }
};

class NotMsgPack extends Error {}

const textDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class MsgPackReader {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #valuesLeft: number;

  constructor(data: Uint8Array, valuesMax: number) {
    this.#data = data;
    this.#valuesLeft = valuesMax;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#data.length;
  }

  value(depth: number): MsgPackValue {
    if (depth > DEPTH_MAX) throw new NotMsgPack("too deep");
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw new NotMsgPack("too many values");
    const marker = this.#unsigned(1);
    if (marker < 0x80) return marker;
    if (marker < 0x90) return this.#map(marker & 0x0f, depth);
    if (marker < 0xa0) return this.#list(marker & 0x0f, depth);
    if (marker < 0xc0) return this.#text(marker & 0x1f);
    if (marker >= 0xe0) return marker - 0x100;
    return this.#marked(marker, depth);
  }

  #marked(marker: number, depth: number): MsgPackValue {
    switch (marker) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xca:
        return finiteOrNull(this.#view.getFloat32(this.#take(4)));
      case 0xcb:
        return finiteOrNull(this.#view.getFloat64(this.#take(8)));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (marker - 0xcc));
      case 0xcf:
        return safeOrBig(this.#view.getBigUint64(this.#take(8)));
      case 0xd0:
        return this.#view.getInt8(this.#take(1));
      case 0xd1:
        return this.#view.getInt16(this.#take(2));
      case 0xd2:
        return this.#view.getInt32(this.#take(4));
      case 0xd3:
        return safeOrBig(this.#view.getBigInt64(this.#take(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (marker - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#unsigned(2 << (marker - 0xdc)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 << (marker - 0xde)), depth);
      default:
        throw new NotMsgPack(`type ${marker} has no JSON`);
    }
  }

  #list(count: number, depth: number): readonly MsgPackValue[] {
    this.#mustFit(count);
    const items: MsgPackValue[] = [];
    for (let index = 0; index < count; index += 1) items.push(this.value(depth + 1));
    return items;
  }

  #map(count: number, depth: number): MsgPackValue {
    this.#mustFit(2 * count);
    const members = Object.create(null) as Record<string, MsgPackValue>;
    for (let index = 0; index < count; index += 1) {
      const key = this.value(depth + 1);
      if (typeof key !== "string") throw new NotMsgPack("a key is not text");
      members[key] = this.value(depth + 1);
    }
    return members;
  }

  #text(length: number): string {
    const start = this.#take(length);
    try {
      return textDecoder.decode(this.#data.subarray(start, start + length));
    } catch {
      throw new NotMsgPack("text is not UTF-8");
    }
  }

  #unsigned(bytes: number): number {
    const at = this.#take(bytes);
    if (bytes === 1) return this.#view.getUint8(at);
    return bytes === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  /** An item takes at least one byte, so a hostile count is refused before anything is read. */
  #mustFit(items: number): void {
    if (items > this.#data.length - this.#at) throw new NotMsgPack("cut off");
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#data.length - at) throw new NotMsgPack("cut off");
    this.#at = at + length;
    return at;
  }
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

const safeOrBig = (value: bigint): number | bigint =>
  BigInt.asIntN(54, value) === value ? Number(value) : value;
