// Loaded by name into the threads that merge and derive: see `rowEncoderUrl`. It splits rows by shard, and encodes those
// of each shard as a store of one database does.

import { AccountBatch, batchLayout, type BulkEncoder } from "@lamplight/core";
import {
  type CopiedAccounts,
  type CopiedAssets,
  type CopiedLinks,
  copyAccounts,
  copyAssets,
  copyLinks,
  packRows,
  placeAssets,
} from "@lamplight/store-postgres";
import { placeOfRow } from "../place-of-row.ts";
import { shardAt } from "../shard-of.ts";

/** Rows for each shard, in the order of the shards. */
export type ShardAccounts = readonly CopiedAccounts[];
export type ShardLinks = readonly CopiedLinks[];

export interface ShardAssets {
  /** Assets of all shards. */
  readonly count: number;
  readonly shards: readonly CopiedAssets[];
}

/** @public loaded by name */
export const encodeBatch: BulkEncoder["encodeBatch"] = (
  accounts: AccountBatch,
  _count,
  { holdings = true, shards = 1 } = {},
) => {
  const { buffer, byteOffset, byteLength } = accounts.bytes;
  const view = new DataView(buffer, byteOffset, byteLength);
  const records = split(accounts.records, shards, (record) =>
    shardAt(view, record + batchLayout.address, shards),
  );
  const rows: ShardAccounts = records.map((some) =>
    copyAccounts(new AccountBatch(accounts.bytes, Uint32Array.from(some)), some.length, { holdings }),
  );
  return packRows(rows);
};

/** @public loaded by name */
export const encodeLinks: BulkEncoder["encodeLinks"] = (page, { shards = 1 } = {}) => {
  const links = split(page.links, shards, (link) => placeOfRow.links(link, shards));
  const seen = split(page.seen, shards, (one) => placeOfRow.assetsSeen(one, shards));
  const rows: ShardLinks = links.map((some, place) => copyLinks({ links: some, seen: seen[place]! }));
  return packRows(rows);
};

/** @public loaded by name */
export const encodeAssets: BulkEncoder["encodeAssets"] = (page, { shards = 1 } = {}) => {
  const placed = placeAssets(page);
  const assets = split(placed.assets, shards, (asset) => placeOfRow.assets(asset, shards));
  const editions = split(placed.editions, shards, (edition) => placeOfRow.editions(edition, shards));
  const rows: ShardAssets = {
    count: placed.assets.length,
    shards: assets.map((some, place) => copyAssets({ assets: some, editions: editions[place]! })),
  };
  return packRows(rows);
};

const split = <Row>(rows: Iterable<Row>, shards: number, placeOf: (row: Row) => number): Row[][] => {
  const parts = Array.from({ length: shards }, (): Row[] => []);
  for (const row of rows) parts[placeOf(row)]!.push(row);
  return parts;
};
