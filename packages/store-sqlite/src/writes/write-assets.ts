import { sameBytes } from "@lamplight/codecs";
import type { AddressBytes, Asset, Ordinal } from "@lamplight/core";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { assetColumns, assetValues } from "../columns/asset-row.ts";
import type { Connection, Row, Statement } from "../engine/connection.ts";
import type { HeadDraft } from "./write-head.ts";

/** So many statements are kept, each for a set of columns that change together. */
const UPDATES_KEPT_MAX = 64;

export interface AssetWriter {
  /** The asset's ordinal: its old one, or the next when it is new. */
  put(asset: Asset, head: HeadDraft): Ordinal;
  /** A new asset, with the numbers that it has in another store. */
  insert(asset: Asset, ordinal: Ordinal, changeSeq: number): void;
  /** The asset's ordinal, which is not used again. */
  remove(id: AddressBytes, head: HeadDraft): void;
}

export const prepareAssetWriter = (connection: Connection): AssetWriter => {
  const findKnown = connection.prepare(`SELECT ord, ${assetColumns.join(", ")} FROM asset WHERE id = ?`);
  const findOrdinal = connection.prepare("SELECT ord FROM asset WHERE id = ?");
  const columns = ["ord", "change_seq", ...assetColumns];
  const insertAsset = connection.prepare(
    `INSERT INTO asset (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  const update = prepareUpdate(connection);
  const putDocument = connection.prepare("INSERT OR REPLACE INTO asset_document VALUES (?, ?, ?)");
  const removed = connection.prepare("INSERT INTO asset_removed (change_seq, ord) VALUES (?, ?)");
  const removals = ["asset", "asset_document", "asset_creator", "asset_group"].map((table) =>
    connection.prepare(`DELETE FROM ${table} WHERE ord = ?`),
  );
  const creators = prepareList(connection, "asset_creator", ["position", "creator", "verified", "share"]);
  const groups = prepareList(connection, "asset_group", ["position", "key", "value", "verified"]);
  const insert = (asset: Asset, ordinal: Ordinal, changeSeq: number): void => {
    insertAsset.run(ordinal, changeSeq, ...assetValues(asset));
    putDocument.run(ordinal, asset.document, asset.extras);
    creators.insert(ordinal, creatorRows(asset));
    groups.insert(ordinal, groupRows(asset));
  };
  return {
    put: (asset, head) => {
      head.changeSeq += 1;
      const known = findKnown.get(asset.id);
      if (known === undefined) {
        head.nextOrdinal += 1;
        insert(asset, head.nextOrdinal - 1, head.changeSeq);
        return head.nextOrdinal - 1;
      }
      const ordinal = Number(known[0]);
      update(ordinal, head.changeSeq, known.slice(1), assetValues(asset));
      putDocument.run(ordinal, asset.document, asset.extras);
      creators.replace(ordinal, creatorRows(asset));
      groups.replace(ordinal, groupRows(asset));
      return ordinal;
    },
    insert,
    remove: (id, head) => {
      const known = findOrdinal.get(id)?.[0];
      if (known === undefined) return;
      for (const removal of removals) removal.run(known);
      head.changeSeq += 1;
      removed.run(head.changeSeq, known);
    },
  };
};

type Cells = readonly SQLInputValue[];

/** Writes the columns that differ: the engine enters a row again into the index of every column that a statement names. */
const prepareUpdate = (
  connection: Connection,
): ((ordinal: Ordinal, changeSeq: number, known: Row, cells: Cells) => void) => {
  const statements = new Map<string, Statement>();
  const statementOf = (places: readonly number[]): Statement => {
    const key = places.join();
    const kept = statements.get(key);
    if (kept !== undefined) return kept;
    const names = ["change_seq", ...places.map((place) => assetColumns[place])];
    const prepared = connection.prepare(
      `UPDATE asset SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE ord = ?`,
    );
    if (statements.size < UPDATES_KEPT_MAX) statements.set(key, prepared);
    return prepared;
  };
  return (ordinal, changeSeq, known, cells) => {
    const places = [...cells.keys()].filter((place) => !isSameCell(known[place], cells[place]));
    statementOf(places).run(changeSeq, ...places.map((place) => cells[place] as SQLInputValue), ordinal);
  };
};

/** Rows of an asset in their order. They are written again only where they differ, as the columns are. */
const prepareList = (connection: Connection, table: string, columns: readonly string[]) => {
  const names = columns.join(", ");
  const read = connection.prepare(`SELECT ${names} FROM ${table} WHERE ord = ? ORDER BY position`);
  const remove = connection.prepare(`DELETE FROM ${table} WHERE ord = ?`);
  const put = connection.prepare(
    `INSERT INTO ${table} (ord, ${names}) VALUES (?, ${columns.map(() => "?").join(", ")})`,
  );
  const insert = (ordinal: Ordinal, rows: readonly Cells[]): void => {
    for (const row of rows) put.run(ordinal, ...row);
  };
  return {
    insert,
    replace: (ordinal: Ordinal, rows: readonly Cells[]): void => {
      const known = read.all(ordinal);
      const isSame =
        known.length === rows.length &&
        rows.every((row, at) => row.every((cell, place) => isSameCell(known[at]?.[place], cell)));
      if (isSame) return;
      remove.run(ordinal);
      insert(ordinal, rows);
    },
  };
};

const creatorRows = ({ creators }: Asset): Cells[] =>
  creators.map(({ address, verified, share }, position) => [position, address, Number(verified), share]);

const groupRows = ({ groups }: Asset): Cells[] =>
  groups.map(({ key, value, verified }, position) => [position, key, value, Number(verified)]);

const isSameCell = (known: SQLOutputValue | undefined, cell: SQLInputValue | undefined): boolean => {
  if (cell instanceof Uint8Array) return known instanceof Uint8Array && sameBytes(known, cell);
  return known === (typeof cell === "number" ? BigInt(cell) : cell);
};
