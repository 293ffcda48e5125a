import type { AddressBytes } from "@lamplight/core";

/**
 * The shard that has the rows of a key. Four bytes from the middle of an address: names are at its beginning. It never
 * changes, because rows are found by it.
 */
export const shardOf = (key: AddressBytes, shards: number): number =>
  new DataView(key.buffer, key.byteOffset, key.byteLength).getUint32(12) % shards;
