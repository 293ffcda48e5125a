import type {
  AddressBytes,
  Asset,
  AssetChange,
  AssetFacts,
  AssetPosition,
  Creator,
  Group,
  NumberedFacts,
  Ordinal,
} from "@lamplight/core";
import { assetColumns, decodeAssetFacts } from "../columns/asset-row.ts";
import type { Connection, Row } from "../engine/connection.ts";

export type AssetWithOrdinal = Asset & { readonly ordinal: Ordinal };
export type ChangedAsset = AssetWithOrdinal & { readonly changeSeq: number };

const columns = ["asset.ord", "change_seq", ...assetColumns, "document", "extras"].join(", ");
const from = "asset CROSS JOIN asset_document ON asset_document.ord = asset.ord";
const FIRST_ASSET_COLUMN = 2;

export const assetPageSql = `SELECT ${columns} FROM ${from} WHERE asset.ord >= ? ORDER BY asset.ord LIMIT ?`;
export const changedAssetsSql = `SELECT ${columns} FROM ${from} WHERE change_seq > ? ORDER BY change_seq LIMIT ?`;

export const prepareReadAssetPage = (
  connection: Connection,
): ((from: Ordinal, limit: number) => readonly AssetWithOrdinal[]) => {
  const statement = connection.prepare(assetPageSql);
  const complete = prepareComplete(connection);
  return (ordinal, limit) =>
    statement.all(ordinal, limit).map((row) => ({ ...complete(row), ordinal: Number(row[0]) }));
};

/** The same with change numbers, for another store. */
export const prepareReadNumberedAssets = (
  connection: Connection,
): ((from: Ordinal, limit: number) => readonly ChangedAsset[]) => prepareChanged(connection, assetPageSql);

export const prepareReadAssetsChangedSince = (
  connection: Connection,
): ((changeSeq: number, limit: number) => readonly ChangedAsset[]) =>
  prepareChanged(connection, changedAssetsSql);

const prepareChanged = (
  connection: Connection,
  sql: string,
): ((after: number, limit: number) => readonly ChangedAsset[]) => {
  const statement = connection.prepare(sql);
  const complete = prepareComplete(connection);
  return (after, limit) =>
    statement
      .all(after, limit)
      .map((row) => ({ ...complete(row), ordinal: Number(row[0]), changeSeq: Number(row[1]) }));
};

/** Adds creators, groups and the document to a row. */
const prepareComplete = (connection: Connection): ((row: Row) => Asset) => {
  const readFacts = prepareReadFacts(connection);
  return (row) => ({
    ...readFacts(row),
    document: row[FIRST_ASSET_COLUMN + assetColumns.length] as string,
    extras: row[FIRST_ASSET_COLUMN + assetColumns.length + 1] as string | null,
  });
};

/** The facts of a row that begins with ordinal and change number. */
const prepareReadFacts = (connection: Connection): ((row: Row) => AssetFacts) => {
  const creators = connection.prepare(
    "SELECT creator, verified, share FROM asset_creator WHERE ord = ? ORDER BY position",
  );
  const groups = connection.prepare(
    "SELECT key, value, verified FROM asset_group WHERE ord = ? ORDER BY position",
  );
  return (row) => {
    const ordinal = row[0] as bigint;
    return decodeAssetFacts(
      row,
      FIRST_ASSET_COLUMN,
      creators.all(ordinal).map(creatorOf),
      groups.all(ordinal).map(groupOf),
    );
  };
};

export const factsByIdSql = `SELECT ${["ord", "change_seq", ...assetColumns].join(", ")} FROM asset WHERE id = ?`;

/** Facts by id, null where there is no asset. */
export const prepareReadFactsById = (
  connection: Connection,
): ((ids: readonly AddressBytes[]) => readonly (NumberedFacts | null)[]) => {
  const statement = connection.prepare(factsByIdSql);
  const readFacts = prepareReadFacts(connection);
  return (ids) =>
    ids.map((id) => {
      const row = statement.get(id);
      return row === undefined ? null : { ...readFacts(row), ordinal: Number(row[0]) };
    });
};

/** The ordinals come as one JSON array, as in `get-assets.ts`. */
const positionsSql = `SELECT asset.ord, asset.id, created_slot, updated_slot FROM json_each(?) AS asked
CROSS JOIN asset ON asset.ord = asked.value ORDER BY asked.key`;

export const prepareReadPositions = (
  connection: Connection,
): ((ordinals: readonly Ordinal[]) => readonly AssetPosition[]) => {
  const statement = connection.prepare(positionsSql);
  return (ordinals) =>
    statement.all(JSON.stringify(ordinals)).map((row) => ({
      ordinal: Number(row[0]),
      id: row[1] as Uint8Array,
      createdSlot: Number(row[2]),
      updatedSlot: Number(row[3]),
    }));
};

const removedAssetsSql =
  "SELECT ord, change_seq FROM asset_removed WHERE change_seq > ? ORDER BY change_seq LIMIT ?";

/** Changes and removals after a change number, in order. */
export const prepareListChanges = (
  connection: Connection,
): ((changeSeq: number, limit: number) => readonly AssetChange[]) => {
  const changed = connection.prepare(
    `SELECT ${["ord", "change_seq", ...assetColumns].join(", ")} FROM asset WHERE change_seq > ? ORDER BY change_seq LIMIT ?`,
  );
  const removed = connection.prepare(removedAssetsSql);
  const readFacts = prepareReadFacts(connection);
  return (changeSeq, limit) =>
    [
      ...changed.all(changeSeq, limit).map((row) => changeOf(row, readFacts(row))),
      ...removed.all(changeSeq, limit).map((row) => changeOf(row, null)),
    ]
      .toSorted((a, b) => a.changeSeq - b.changeSeq)
      .slice(0, limit);
};

const creatorOf = (row: Row): Creator => ({
  address: row[0] as Uint8Array,
  verified: row[1] === 1n,
  share: Number(row[2]),
});

const groupOf = (row: Row): Group => ({
  key: row[0] as string,
  value: row[1] as string,
  verified: row[2] === 1n,
});

const changeOf = (row: Row, facts: AssetFacts | null): AssetChange => ({
  ordinal: Number(row[0]),
  changeSeq: Number(row[1]),
  facts,
});
