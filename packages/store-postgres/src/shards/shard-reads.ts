// Reads of one shard that a store in one database does not need: sets without some rows, and rows that other shards have.

import {
  type AddressBytes,
  decodeEditionRow,
  type Edition,
  editionRowColumns,
  type EditionStart,
  type Holding,
  type Ordinal,
  ownerModelNumber,
  type StoredAsset,
  u64ToColumn,
} from "@lamplight/core";
import { byKey, mapKeyOf } from "../columns/keys.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import { findAssetsByOrdinal } from "../queries/read-documents.ts";

const findOrdinals = statement("SELECT id, ord FROM asset WHERE id = ANY ($1::bytea[])");

/** Ordinals by asset id, null where there is no asset. */
export const findOrdinalsById = async (
  db: Statements,
  ids: readonly AddressBytes[],
): Promise<readonly (Ordinal | null)[]> => {
  if (ids.length === 0) return [];
  const found = byKey(await db.all(findOrdinals, arrayParameter("bytea", ids)));
  return ids.map((id) => {
    const row = found.get(mapKeyOf(id));
    return row === undefined ? null : Number(row[1]);
  });
};

/** Those of these assets that the shard has; null where document or extras are larger than `bytesMax`. */
export const listAssetsByOrdinal = async (
  db: Statements,
  ordinals: readonly Ordinal[],
  bytesMax?: number,
): Promise<ReadonlyMap<Ordinal, StoredAsset | null>> =>
  ordinals.length === 0 ? new Map() : findAssetsByOrdinal(db, ordinals, bytesMax);

const select = `SELECT ${editionRowColumns} FROM edition WHERE`;
const isKept = (place: number): string => `address <> ALL ($${place}::bytea[])`;
const atOffset = statement(
  `${select} parent = $1 AND ${isKept(2)} ORDER BY number, address LIMIT $3 OFFSET $4`,
);
const fromNumber = statement(
  `${select} parent = $1 AND ${isKept(2)} AND number > $4 ORDER BY number, address LIMIT $3`,
);
const beforeNumber = statement(
  `${select} parent = $1 AND ${isKept(2)} AND number < $4 ORDER BY number DESC, address DESC LIMIT $3`,
);
const countKept = statement(`SELECT count(*) FROM edition WHERE parent = $1 AND ${isKept(2)}`);
const byMint = statement(`${select} mint = $1 AND ${isKept(2)} ORDER BY parent, number, address LIMIT 1`);
const byAddress = statement(`${select} address = $1 AND ${isKept(2)}`);

/** As the read `editions`, without the prints at `hidden` addresses. */
export const listEditionsWithout = async (
  db: Statements,
  hidden: readonly AddressBytes[],
  parent: AddressBytes,
  start: EditionStart,
  limit: number,
): Promise<readonly Edition[]> => {
  const without = arrayParameter("bytea", hidden);
  if (start.kind === "offset")
    return (await db.all(atOffset, parent, without, limit, start.offset)).map(decodeEditionRow);
  const number = u64ToColumn(start.number);
  if (start.kind === "after")
    return (await db.all(fromNumber, parent, without, limit, number)).map(decodeEditionRow);
  return (await db.all(beforeNumber, parent, without, limit, number)).map(decodeEditionRow).toReversed();
};

/** As the read `editionCount`, without the prints at `hidden` addresses. */
export const countEditionsWithout = async (
  db: Statements,
  hidden: readonly AddressBytes[],
  parent: AddressBytes,
): Promise<number> => Number((await db.get(countKept, parent, arrayParameter("bytea", hidden)))?.[0]);

/** The print of this mint with the lowest place, and the print at this address, without those at `hidden` addresses. */
export const findEditionWithout = async (
  db: Statements,
  hidden: readonly AddressBytes[],
  mintOrAddress: AddressBytes,
): Promise<{ readonly ofMint: Edition | null; readonly ofAddress: Edition | null }> => {
  const without = arrayParameter("bytea", hidden);
  const [ofMint, ofAddress] = await Promise.all([
    db.get(byMint, mintOrAddress, without),
    db.get(byAddress, mintOrAddress, without),
  ]);
  return { ofMint: editionOf(ofMint), ofAddress: editionOf(ofAddress) };
};

const editionOf = (row: Row | undefined): Edition | null =>
  row === undefined ? null : decodeEditionRow(row);

const holdingsOfOwner = statement("SELECT mint, token_account, positive FROM holding WHERE token_owner = $1");

/** The token accounts of one owner whose rows this shard has, of every mint. */
export const listEveryHolding = async (
  db: Statements,
  tokenOwner: AddressBytes,
): Promise<readonly Holding[]> =>
  (await db.all(holdingsOfOwner, tokenOwner)).map((row) => ({
    tokenOwner,
    mint: row[0] as Uint8Array,
    tokenAccount: row[1] as Uint8Array,
    positive: row[2] as boolean,
  }));

const ofSupplyMints = statement(
  "SELECT id, ord FROM asset WHERE supply_mint IS NOT NULL AND supply_mint = ANY ($1::bytea[]) AND owner_model = $2",
);

/** Ordinals of the assets of these mints that have many holders. */
export const listTokenOrdinals = async (
  db: Statements,
  mints: readonly AddressBytes[],
): Promise<readonly Ordinal[]> => {
  if (mints.length === 0) return [];
  const rows = await db.all(ofSupplyMints, arrayParameter("bytea", mints), ownerModelNumber("token"));
  return rows.map((row) => Number(row[1]));
};
