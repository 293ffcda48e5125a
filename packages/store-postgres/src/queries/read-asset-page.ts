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
import { assetColumnNames, decodeAssetFacts } from "../columns/asset-row.ts";
import { byKey, mapKeyOf } from "../columns/keys.ts";
import { textFromColumn } from "../columns/text-column.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

export type AssetWithOrdinal = Asset & { readonly ordinal: Ordinal };
export type ChangedAsset = AssetWithOrdinal & { readonly changeSeq: number };

const select = `SELECT id, ord, change_seq, ${assetColumnNames} FROM asset`;
const FIRST_ASSET_COLUMN = 3;

const byOrdinal = statement(`${select} WHERE ord >= $1 ORDER BY ord LIMIT $2`);
const byChange = statement(`${select} WHERE change_seq > $1 ORDER BY change_seq LIMIT $2`);
const byId = statement(`${select} WHERE id = ANY ($1::bytea[])`);
const removals = statement(
  "SELECT ord, change_seq FROM asset_removed WHERE change_seq > $1 ORDER BY change_seq LIMIT $2",
);
const creatorsOf = statement(
  "SELECT id, creator, verified, share FROM asset_creator WHERE id = ANY ($1::bytea[]) ORDER BY id, position",
);
const groupsOf = statement(
  "SELECT id, key, value, verified FROM asset_group WHERE id = ANY ($1::bytea[]) ORDER BY id, position",
);
const documentsOf = statement("SELECT id, document, extras FROM asset_document WHERE id = ANY ($1::bytea[])");

export const readAssetPage = async (
  db: Statements,
  from: Ordinal,
  limit: number,
): Promise<readonly AssetWithOrdinal[]> => {
  const rows = await db.all(byOrdinal, from, limit);
  const assets = await complete(db, rows);
  return assets.map((asset, index) => ({ ...asset, ordinal: Number(rows[index]?.[1]) }));
};

export const readAssetsChangedSince = async (
  db: Statements,
  changeSeq: number,
  limit: number,
): Promise<readonly ChangedAsset[]> => {
  return numbered(db, await db.all(byChange, changeSeq, limit));
};

/** Reads assets in the order of ordinals, with change numbers, for another store. */
export const readNumberedAssets = async (
  db: Statements,
  from: Ordinal,
  limit: number,
): Promise<readonly ChangedAsset[]> => numbered(db, await db.all(byOrdinal, from, limit));

const numbered = async (db: Statements, rows: readonly Row[]): Promise<readonly ChangedAsset[]> => {
  const assets = await complete(db, rows);
  return assets.map((asset, index) => ({
    ...asset,
    ordinal: Number(rows[index]?.[1]),
    changeSeq: Number(rows[index]?.[2]),
  }));
};

/** Facts by id, null where there is no asset. */
export const readFactsById = async (
  db: Statements,
  ids: readonly AddressBytes[],
): Promise<readonly (NumberedFacts | null)[]> => {
  if (ids.length === 0) return [];
  const rows = await db.all(byId, arrayParameter("bytea", ids));
  const facts = await factsOf(db, rows);
  const found = new Map(
    rows.map((row, index) => [
      mapKeyOf(row[0] as Uint8Array),
      { ...(facts[index] as AssetFacts), ordinal: Number(row[1]) },
    ]),
  );
  return ids.map((id) => found.get(mapKeyOf(id)) ?? null);
};

/** The existing ones among these assets, in any order. */
export const readAssetsById = async (
  db: Statements,
  ids: readonly AddressBytes[],
): Promise<readonly Asset[]> =>
  ids.length === 0 ? [] : complete(db, await db.all(byId, arrayParameter("bytea", ids)));

const positions = statement(
  "SELECT ord, id, created_slot, updated_slot FROM asset WHERE ord = ANY ($1::bigint[])",
);

/** Reads the positions of existing assets in the orders. */
export const readPositions = async (
  db: Statements,
  ordinals: readonly Ordinal[],
): Promise<readonly AssetPosition[]> => {
  if (ordinals.length === 0) return [];
  const rows = await db.all(positions, arrayParameter("bigint", ordinals));
  const found = new Map(
    rows.map((row) => [
      Number(row[0]),
      {
        ordinal: Number(row[0]),
        id: row[1] as Uint8Array,
        createdSlot: Number(row[2]),
        updatedSlot: Number(row[3]),
      },
    ]),
  );
  return ordinals.map((ordinal) => found.get(ordinal) as AssetPosition);
};

/** Changes and removals after a change number, in order. */
export const listChanges = async (
  db: Statements,
  changeSeq: number,
  limit: number,
): Promise<readonly AssetChange[]> => {
  const [changed, removed] = await Promise.all([
    db.all(byChange, changeSeq, limit),
    db.all(removals, changeSeq, limit),
  ]);
  const facts = await factsOf(db, changed);
  return [
    ...changed.map((row, index) => ({
      ordinal: Number(row[1]),
      changeSeq: Number(row[2]),
      facts: facts[index] as AssetFacts,
    })),
    ...removed.map((row) => ({ ordinal: Number(row[0]), changeSeq: Number(row[1]), facts: null })),
  ]
    .toSorted((a, b) => a.changeSeq - b.changeSeq)
    .slice(0, limit);
};

/** The assets of rows of `select`, in their order. */
const complete = async (db: Statements, rows: readonly Row[]): Promise<readonly Asset[]> => {
  if (rows.length === 0) return [];
  const [facts, documents] = await Promise.all([factsOf(db, rows), db.all(documentsOf, idsParameter(rows))]);
  const found = byKey(documents);
  return rows.map((row, index) => {
    const document = found.get(mapKeyOf(row[0] as Uint8Array));
    return {
      ...(facts[index] as AssetFacts),
      document: document?.[1] as string,
      extras: document?.[2] as string | null,
    };
  });
};

/** The facts of rows of `select`, in their order. */
const factsOf = async (db: Statements, rows: readonly Row[]): Promise<readonly AssetFacts[]> => {
  if (rows.length === 0) return [];
  const ids = idsParameter(rows);
  const [creatorRows, groupRows] = await Promise.all([db.all(creatorsOf, ids), db.all(groupsOf, ids)]);
  const creators = collect(creatorRows, creatorOf);
  const groups = collect(groupRows, groupOf);
  return rows.map((row) => {
    const key = mapKeyOf(row[0] as Uint8Array);
    return decodeAssetFacts(
      row[0] as Uint8Array,
      row,
      FIRST_ASSET_COLUMN,
      creators.get(key) ?? [],
      groups.get(key) ?? [],
    );
  });
};

const idsParameter = (rows: readonly Row[]): Buffer =>
  arrayParameter(
    "bytea",
    rows.map((row) => row[0] as Uint8Array),
  );

const collect = <Item>(rows: readonly Row[], itemOf: (row: Row) => Item): ReadonlyMap<string, Item[]> => {
  const lists = new Map<string, Item[]>();
  for (const row of rows) {
    const key = mapKeyOf(row[0] as Uint8Array);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [itemOf(row)]);
    else list.push(itemOf(row));
  }
  return lists;
};

const creatorOf = (row: Row): Creator => ({
  address: row[1] as Uint8Array,
  verified: row[2] as boolean,
  share: Number(row[3]),
});

const groupOf = (row: Row): Group => ({
  key: textFromColumn(row[1]),
  value: textFromColumn(row[2]),
  verified: row[3] as boolean,
});
