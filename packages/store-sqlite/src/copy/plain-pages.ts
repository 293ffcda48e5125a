import { type CopyWalk, copyWalks, type StoreRows, type WalkedTable } from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import type { SQLInputValue } from "node:sqlite";
import type { Connection, Row } from "../engine/connection.ts";

/** Begins a walk over a table. */
export type PagesOf<Item> = () => Generator<readonly Item[], void, undefined>;

const walks = copyWalks({ ledger: ["kind", "key"], document: { name: "id", type: "int64" } }, columnForms);

/** Walks over the tables whose rows are copied as they are. */
export const plainPages = (
  connection: Connection,
): { readonly [Table in WalkedTable]: PagesOf<StoreRows[Table]> } => {
  const pages = <Table extends WalkedTable>(table: Table): PagesOf<StoreRows[Table]> =>
    pagesOf<StoreRows[Table]>(connection, walks[table]);
  return {
    links: pages("links"),
    ledger: pages("ledger"),
    assetsSeen: pages("assetsSeen"),
    editions: pages("editions"),
    assetsRemoved: pages("assetsRemoved"),
    documents: pages("documents"),
  };
};

const pagesOf = <Item>(
  connection: Connection,
  { sql, first, rowsMax, keyOf, itemOf }: CopyWalk<Item>,
): PagesOf<Item> => {
  const statement = connection.prepare(sql);
  return function* pages() {
    let after: readonly SQLInputValue[] = first;
    for (;;) {
      const rows = statement.all(...after, rowsMax);
      if (rows.length === 0) return;
      yield rows.map(itemOf);
      after = keyOf(rows.at(-1) as Row);
    }
  };
};
