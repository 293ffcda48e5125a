import type { AddressBytes } from "@lamplight/core";

/**
 * The shard that has the rows of a key. Four bytes from the middle of an address: names are at its beginning. It never
 * changes, because rows are found by it.
 */
export const shardOf = (key: AddressBytes, shards: number): number =>
  shardAt(new DataView(key.buffer, key.byteOffset, key.byteLength), 0, shards);

/** The same for a key that lies in more bytes. */
export const shardAt = (bytes: DataView, at: number, shards: number): number =>
  bytes.getUint32(at + 12) % shards;
