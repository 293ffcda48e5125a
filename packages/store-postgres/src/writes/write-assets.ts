import {
  type AddressBytes,
  type Asset,
  type NumberedAsset,
  type Ordinal,
  plainTables,
  REMOVALS_KEPT_CHANGES,
} from "@lamplight/core";
import { assetColumns, assetValues } from "../columns/asset-row.ts";
import { byKey, mapKeyOf } from "../columns/keys.ts";
import { plainRows } from "../columns/plain-rows.ts";
import { textToColumn } from "../columns/text-column.ts";
import { arrayParameter, type Element } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { type Bulk, bulkDelete, bulkInsert, bulkUpsert, type Columns, runBulk } from "./bulk.ts";
import type { HeadDraft } from "./write-head.ts";

const idColumn: Columns = [["id", "bytea"]];
/** An asset that is there, and its ordinal. */
export type KnownAsset = readonly [id: AddressBytes, ordinal: bigint];
const findOrdinals = statement("SELECT id, ord FROM asset WHERE id = ANY ($1::bytea[])");
/** Tables of an asset, each with its columns in the order of `assetRows`. */
export const assetTables = {
  asset: [["id", "bytea"], ["ord", "bigint"], ["change_seq", "bigint"], ...assetColumns],
  asset_document: [
    ["id", "bytea"],
    ["ord", "bigint"],
    ["document", "text"],
    ["extras", "text"],
  ],
  asset_creator: [
    ["id", "bytea"],
    ["ord", "bigint"],
    ["position", "smallint"],
    ["share", "smallint"],
    ["verified", "boolean"],
    ["creator", "bytea"],
  ],
  asset_group: [
    ["id", "bytea"],
    ["ord", "bigint"],
    ["position", "smallint"],
    ["verified", "boolean"],
    ["key", "bytea"],
    ["value", "bytea"],
  ],
} as const satisfies Record<string, Columns>;
export type AssetTable = keyof typeof assetTables;
export const { columns: removalColumns, values: removalValues } = plainRows(plainTables.assetsRemoved);

const putAssets = bulkUpsert("asset", assetTables.asset, ["id"]);
const putDocuments = bulkUpsert("asset_document", assetTables.asset_document, ["id"]);
/** Rows that are the same stay as they are: most changes of an asset leave its lists alone. */
const upsertList = (table: "asset_creator" | "asset_group"): Bulk => {
  const names = assetTables[table].map(([name]) => name);
  const [kept, given] = [table, "excluded"].map((of) => names.map((name) => `${of}.${name}`).join(", "));
  return bulkUpsert(
    table,
    assetTables[table],
    ["id", "position"],
    `WHERE (${kept}) IS DISTINCT FROM (${given})`,
  );
};
const putCreators = upsertList("asset_creator");
const putGroups = upsertList("asset_group");
const deleteOthers = (table: "asset_creator" | "asset_group"): Statement =>
  statement(`DELETE FROM ${table} listed WHERE id = ANY ($1::bytea[]) AND NOT EXISTS (
SELECT FROM unnest($2::bytea[], $3::smallint[]) given (id, position)
WHERE given.id = listed.id AND given.position = listed.position)`);
const deleteOtherCreators = deleteOthers("asset_creator");
const deleteOtherGroups = deleteOthers("asset_group");
const putRemovals = bulkInsert("asset_removed", removalColumns);
const forgetRemovals = statement("DELETE FROM asset_removed WHERE change_seq <= $1");
const deletions = (["asset", "asset_document", "asset_creator", "asset_group"] as const).map((table) =>
  bulkDelete(table, idColumn),
);

/** Removes assets, whose ordinals are never used again. Old removals are not reported any more. */
export const removeAssets = async (
  session: Session,
  ids: readonly AddressBytes[],
  head: HeadDraft,
): Promise<void> => {
  if (ids.length === 0) return;
  const known = byKey(await session.all(findOrdinals, arrayParameter("bytea", ids)));
  await removeKnown(
    session,
    ids.flatMap((id): KnownAsset[] => {
      const row = known.get(mapKeyOf(id));
      return row === undefined ? [] : [[id, row[1] as bigint]];
    }),
    head,
  );
};

/** Removes assets that are there. The head changes before anything is sent. */
export const removeKnown = async (
  session: Session,
  known: readonly KnownAsset[],
  head: HeadDraft,
): Promise<void> => {
  if (known.length === 0) return;
  const keys = known.map(([id]) => [id]);
  const removals = known.map(([, ordinal]): Element[] => [(head.changeSeq += 1), ordinal]);
  await Promise.all([
    ...deletions.map((deletion) => runBulk(session, deletion, keys)),
    runBulk(session, putRemovals, removals),
    session.run(forgetRemovals, head.changeSeq - REMOVALS_KEPT_CHANGES),
  ]);
};

/** Inserts or replaces assets. Returns their ordinals: the old ones, or the next ones for new assets. */
export const putAssetRows = async (
  session: Session,
  assets: readonly Asset[],
  head: HeadDraft,
): Promise<readonly Ordinal[]> => {
  if (assets.length === 0) return [];
  const ids = assets.map(({ id }) => id);
  const known = byKey(await session.all(findOrdinals, arrayParameter("bytea", ids)));
  const knownIds = ids.filter((id) => known.has(mapKeyOf(id))).map((id) => [id] as const);
  const ordinals = ids.map((id) => {
    const row = known.get(mapKeyOf(id));
    return row === undefined ? (head.nextOrdinal += 1) - 1 : Number(row[1]);
  });
  const rows = assetRows(
    assets.map((asset, index) => {
      head.changeSeq += 1;
      return { ...asset, ordinal: ordinals[index] as Ordinal, changeSeq: head.changeSeq };
    }),
  );
  await putAssetRowsAs(session, rows, knownIds);
  return ordinals;
};

/** Inserts or replaces rows that have their numbers. `known` are the ids that may be there already. */
export const putAssetRowsAs = async (
  session: Session,
  rows: ReturnType<typeof assetRows>,
  known: readonly (readonly [AddressBytes])[],
): Promise<void> => {
  await Promise.all([
    keepListed(session, deleteOtherCreators, known, rows.asset_creator),
    keepListed(session, deleteOtherGroups, known, rows.asset_group),
    runBulk(session, putAssets, rows.asset),
    runBulk(session, putDocuments, rows.asset_document),
    runBulk(session, putCreators, rows.asset_creator),
    runBulk(session, putGroups, rows.asset_group),
  ]);
};

/** Removes the rows of lists that got shorter. */
const keepListed = async (
  session: Session,
  others: Statement,
  known: readonly (readonly [AddressBytes])[],
  rows: readonly (readonly Element[])[],
): Promise<void> => {
  if (known.length === 0) return;
  const column = (at: number): Element[] => rows.map((row) => row[at] as Element);
  await session.run(
    others,
    arrayParameter(
      "bytea",
      known.map(([id]) => id),
    ),
    arrayParameter("bytea", column(0)),
    arrayParameter("smallint", column(2)),
  );
};

/** The stored rows of these assets. */
export const assetRows = (assets: readonly NumberedAsset[]): Readonly<Record<AssetTable, Element[][]>> => ({
  asset: assets.map((asset) => [asset.id, asset.ordinal, asset.changeSeq, ...assetValues(asset)]),
  asset_document: assets.map(({ id, ordinal, document, extras }) => [id, ordinal, document, extras]),
  asset_creator: assets.flatMap(creatorRows),
  asset_group: assets.flatMap(groupRows),
});

const creatorRows = ({ id, ordinal, creators }: NumberedAsset): Element[][] =>
  creators.map(({ address, share, verified }, position) => [id, ordinal, position, share, verified, address]);

const groupRows = ({ id, ordinal, groups }: NumberedAsset): Element[][] =>
  groups.map(({ key, value, verified }, position) => [
    id,
    ordinal,
    position,
    verified,
    textToColumn(key),
    textToColumn(value),
  ]);
