import type { AddressBytes } from "@lamplight/core";

/**
 * An address as the account tables are keyed: `id` is the first eight bytes as a signed big-endian number (SQLite's
 * row id, so that a lookup is one descent), `tail` the other 24.
 */
export interface AccountKey {
  readonly id: bigint;
  readonly tail: Uint8Array;
}

const PREFIX_BYTES = 8;

export const accountKeyOf = (address: AddressBytes): AccountKey => ({
  id: prefixOf(address),
  tail: address.subarray(PREFIX_BYTES),
});

export const prefixOf = (address: AddressBytes): bigint => {
  for (let index = 0; index < PREFIX_BYTES; index += 1) scratchBytes[index] = address[index] as number;
  return scratch.getBigInt64(0);
};

/** One view for all calls, because creating one costs more than copying eight bytes. */
const scratchBytes = new Uint8Array(PREFIX_BYTES);
const scratch = new DataView(scratchBytes.buffer);

export const addressOfKey = (id: bigint, tail: Uint8Array): AddressBytes => {
  const address = new Uint8Array(PREFIX_BYTES + tail.length);
  scratch.setBigInt64(0, id);
  address.set(scratchBytes);
  address.set(tail, PREFIX_BYTES);
  return address;
};

/** Same bytes, for keys of the same length. */
export const sameKeyBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
};

/** Bytes as text, for keys of a `Map`; one character per byte. */
export const mapKeyOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

export const compareBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);
