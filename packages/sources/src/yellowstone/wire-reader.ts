import { LamplightError } from "@lamplight/errors";

/** A field holds a number on the wire, or bytes (text, bytes, messages, packed lists). */
export type WireValue = bigint | Uint8Array;

const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * The fields of one protobuf message, in order; unknown ones included. Bytes are views into `message`, so a value that
 * outlives the message must be copied. Groups are not part of proto3 and are refused.
 *
 * @throws LamplightError `SOURCE__BAD_MESSAGE` when the message is cut off or its tags are no protobuf
 */
export function* readFields(
  message: Uint8Array,
): Generator<readonly [field: number, value: WireValue], void> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at];
      if (byte === undefined) throw bad("ends within a number");
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw bad("has a number of more than ten bytes");
  };
  /** Most numbers are short, so tags, lengths and small values avoid bigints. */
  const readLength = (): number => {
    const byte = message[at];
    if (byte !== undefined && byte < 0x80) {
      at += 1;
      return byte;
    }
    return Number(readVarint());
  };
  while (at < message.length) {
    const tag = readLength();
    const field = Math.floor(tag / 8);
    switch (tag % 8) {
      case wire.varint:
        yield [field, readVarint()];
        break;
      case wire.bytes: {
        const length = readLength();
        if (at + length > message.length) throw bad("ends within a field");
        at += length;
        yield [field, message.subarray(at - length, at)];
        break;
      }
      case wire.fixed64:
        if (at + 8 > message.length) throw bad("ends within a field");
        at += 8;
        yield [field, view.getBigUint64(at - 8, true)];
        break;
      case wire.fixed32:
        if (at + 4 > message.length) throw bad("ends within a field");
        at += 4;
        yield [field, BigInt(view.getUint32(at - 4, true))];
        break;
      default:
        throw bad(`has wire type ${tag % 8}`);
    }
  }
}

const bad = (reason: string): LamplightError => new LamplightError("SOURCE__BAD_MESSAGE", { reason });

const utf8 = new TextDecoder();

export const asBytes = (value: WireValue): Uint8Array => {
  if (typeof value === "bigint") throw bad("has a number where bytes belong");
  return value;
};

export const asText = (value: WireValue): string => utf8.decode(asBytes(value));

export const asU64 = (value: WireValue): bigint => {
  if (typeof value !== "bigint") throw bad("has bytes where a number belongs");
  return value;
};

/** Only slots and counters that stay below 2^53 are read so. */
export const asCount = (value: WireValue): number => {
  const count = Number(asU64(value));
  if (!Number.isSafeInteger(count)) throw bad(`has a number beyond 2^53: ${value as bigint}`);
  return count;
};
