import type { StoreRows, StoreTable } from "@lamplight/core";
import { shardOf } from "./shard-of.ts";

export type RowPlaces = {
  readonly [Table in StoreTable]: (row: StoreRows[Table], shards: number) => number | null;
};

/** The shard that has a row, as `rowsOfShard` chooses it; null for rows of the coordinator. */
export const placeOfRow = {
  accounts: ({ current }, shards) => shardOf(current.address, shards),
  links: ({ target }, shards) => shardOf(target, shards),
  ledger: ({ kind, key }, shards) => (kind === "tree" ? null : shardOf(key, shards)),
  assetsSeen: ({ id }, shards) => shardOf(id, shards),
  editions: ({ parent }, shards) => shardOf(parent, shards),
  assets: ({ id }, shards) => shardOf(id, shards),
  // Their ids are gone. Changes are read from all shards, so any of them may have such a row.
  assetsRemoved: ({ ordinal }, shards) => ordinal % shards,
  documents: () => null,
} as const satisfies RowPlaces;
