import { encodeAddress } from "@lamplight/codecs";
import type { AddressBytes, Edition, EditionStart } from "@lamplight/core";
import { u64FromColumn, u64ToColumn } from "../columns/u64-column.ts";
import type { Connection, Row } from "../engine/connection.ts";

const columns = "address, parent, mint, number";

export const listEditionsSql = {
  offset: `SELECT ${columns} FROM edition WHERE parent = ? ORDER BY number, address LIMIT ? OFFSET ?`,
  after: `SELECT ${columns} FROM edition WHERE parent = ? AND number > ? ORDER BY number, address LIMIT ?`,
  before: `SELECT ${columns} FROM edition WHERE parent = ? AND number < ? ORDER BY number DESC, address DESC LIMIT ?`,
} as const;

export const prepareListEditions = (
  connection: Connection,
): ((parent: AddressBytes, start: EditionStart, limit: number) => readonly Edition[]) => {
  const offset = connection.prepare(listEditionsSql.offset);
  const after = connection.prepare(listEditionsSql.after);
  const before = connection.prepare(listEditionsSql.before);
  return (parent, start, limit) => {
    switch (start.kind) {
      case "offset":
        return offset.all(parent, limit, start.offset).map(editionOf);
      case "after":
        return after.all(parent, u64ToColumn(start.number), limit).map(editionOf);
      case "before":
        return before.all(parent, u64ToColumn(start.number), limit).map(editionOf).toReversed();
      default:
        return start satisfies never;
    }
  };
};

/**
 * Counting a million prints takes a hundred milliseconds and more, and every page of them asks: counts are kept until
 * somebody else commits to the file (`PRAGMA data_version` of this connection, which never writes).
 */
export const prepareCountEditions = (connection: Connection): ((parent: AddressBytes) => number) => {
  const count = connection.prepareSmall("SELECT count(*) FROM edition WHERE parent = ?");
  const version = connection.prepareSmall("PRAGMA data_version");
  const counts = new Map<string, number>();
  let countedAt = -1;
  return (parent) => {
    const now = Number(version.get()?.[0]);
    if (now !== countedAt || counts.size >= countsMax) counts.clear();
    countedAt = now;
    const key = encodeAddress(parent);
    const known = counts.get(key);
    if (known !== undefined) return known;
    const counted = Number(count.get(parent)?.[0]);
    counts.set(key, counted);
    return counted;
  };
};

/** Counts kept at once. */
const countsMax = 1000;

export const findEditionSql = {
  address: `SELECT ${columns} FROM edition WHERE address = ?`,
  mint: `SELECT ${columns} FROM edition WHERE mint = ? ORDER BY parent, number, address LIMIT 1`,
} as const;

export const prepareFindEdition = (
  connection: Connection,
): ((mintOrAddress: AddressBytes) => Edition | null) => {
  const byMint = connection.prepare(findEditionSql.mint);
  const byAddress = connection.prepare(findEditionSql.address);
  return (mintOrAddress) => {
    const row = byMint.get(mintOrAddress) ?? byAddress.get(mintOrAddress);
    return row === undefined ? null : editionOf(row);
  };
};

const editionOf = (row: Row): Edition => ({
  address: row[0] as Uint8Array,
  parent: row[1] as Uint8Array,
  mint: row[2] as Uint8Array,
  number: u64FromColumn(row[3] as bigint),
});
