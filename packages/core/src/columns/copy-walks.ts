import type { StoreRows, StoreTable } from "../ports/store-copy.ts";
import type { Column, ColumnForms } from "./column.ts";
import { offchainColumns } from "./offchain-row.ts";
import { type PlainTable, plainTables } from "./plain-tables.ts";
import { type RowColumns, rowCodec } from "./row-codec.ts";

/** Rows of a page of a copy, fewer where a row carries a document. */
export const COPY_PAGE_ROWS = 2000;
export const COPY_PAGE_DOCUMENTS = 500;

/** Reads a table for a copy, page by page in the order of its key. */
export interface CopyWalk<Item> {
  /** Reads a page. It has a `?` for each column of the key of the row before, and one for the limit. */
  readonly sql: string;
  /** The key before all keys. */
  readonly first: readonly (Uint8Array | number)[];
  readonly rowsMax: number;
  keyOf<Cell>(row: readonly Cell[]): readonly Cell[];
  itemOf(row: readonly unknown[]): Item;
}

/** A copy reads these tables by their columns alone. */
export type WalkedTable = Exclude<StoreTable, "accounts" | "assets">;

export type CopyWalks = { readonly [Table in WalkedTable]: CopyWalk<StoreRows[Table]> };

/** How the primary keys of a store differ from those of others. */
export interface StoreKeys {
  readonly ledger: readonly (keyof StoreRows["ledger"])[];
  /** The column in front of those of a document. */
  readonly document: Pick<Column<unknown>, "name" | "type">;
}

export const copyWalks = <Flag, Text>(keys: StoreKeys, forms: ColumnForms<Flag, Text>): CopyWalks => {
  const walk = <Row>({ name, columns }: PlainTable<Row>, key: readonly (keyof Row)[]): CopyWalk<Row> =>
    walkOf(
      name,
      columns,
      key.map((member) => columns[member]),
      COPY_PAGE_ROWS,
    );
  const walkOf = <Row>(
    table: string,
    columns: RowColumns<Row>,
    key: readonly Pick<Column<unknown>, "name" | "type">[],
    rowsMax: number,
  ): CopyWalk<Row> => {
    const own = Object.values<Column<unknown>>(columns).map(({ name }) => name);
    const keyNames = key.map(({ name }) => name);
    const names = [...new Set([...own, ...keyNames])];
    const places = keyNames.map((name) => names.indexOf(name));
    const order = keyNames.join(", ");
    return {
      sql: `SELECT ${names.join(", ")} FROM ${table}
WHERE (${order}) > (${keyNames.map(() => "?").join(", ")}) ORDER BY ${order} LIMIT ?`,
      // The first column of a key decides, and no number that begins one is negative.
      first: key.map(({ type }) => (type === "bytes" ? new Uint8Array(0) : -1)),
      rowsMax,
      keyOf: (row) => places.map((place) => row[place]!),
      itemOf: rowCodec(columns, forms).decode,
    };
  };
  return {
    links: walk(plainTables.links, ["target", "role", "source"]),
    ledger: { ...walk(plainTables.ledger, keys.ledger), rowsMax: COPY_PAGE_DOCUMENTS },
    assetsSeen: walk(plainTables.assetsSeen, ["id"]),
    editions: walk(plainTables.editions, ["parent", "number", "address"]),
    assetsRemoved: walk(plainTables.assetsRemoved, ["changeSeq"]),
    documents: walkOf("offchain", offchainColumns, [keys.document], COPY_PAGE_DOCUMENTS),
  };
};
