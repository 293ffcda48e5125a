import { linkRoles, type StoreRows, type StoreTable, u64FromColumn } from "@lamplight/core";
import type { Connection, Row } from "../engine/connection.ts";
import { decodeOffchainRow, offchainColumns } from "../offchain/offchain-row.ts";
import { prepareReadNumberedAssets } from "../queries/read-asset-page.ts";
import { ledgerKinds } from "../queries/read-ledger.ts";
import type { SQLInputValue } from "node:sqlite";
import { EXPORT_PAGE_DOCUMENTS, EXPORT_PAGE_ROWS } from "./copy-settings.ts";

/** Begins a walk over a table. */
export type PagesOf<Item> = () => Generator<readonly Item[], void, undefined>;

/** One page: rows whose key is above, in the order of the key. The statement's last place is the limit. */
interface Walk<Item> {
  readonly sql: string;
  /** Columns of the key, which are the first of a row. */
  readonly first: readonly SQLInputValue[];
  readonly rowsMax: number;
  readonly itemOf: (row: Row) => Item;
}

const before = new Uint8Array(0);

const walks: {
  readonly [Table in Exclude<StoreTable, "accounts" | "assets">]: Walk<StoreRows[Table]>;
} = {
  links: {
    sql: `SELECT target, role, source FROM link
WHERE (target, role, source) > (?, ?, ?) ORDER BY target, role, source LIMIT ?`,
    first: [before, -1, before],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({
      target: row[0] as Uint8Array,
      role: linkRoles[Number(row[1])] as (typeof linkRoles)[number],
      source: row[2] as Uint8Array,
    }),
  },
  ledger: {
    sql: "SELECT kind, key, tree, state FROM ledger WHERE (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?",
    first: [-1, before],
    rowsMax: EXPORT_PAGE_DOCUMENTS,
    itemOf: (row) => ({
      kind: ledgerKinds[Number(row[0])] as (typeof ledgerKinds)[number],
      key: row[1] as Uint8Array,
      tree: row[2] as Uint8Array,
      state: row[3] as string,
    }),
  },
  assetsSeen: {
    sql: "SELECT id, slot FROM asset_seen WHERE id > ? ORDER BY id LIMIT ?",
    first: [before],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({ id: row[0] as Uint8Array, slot: Number(row[1]) }),
  },
  editions: {
    sql: `SELECT parent, number, address, mint FROM edition
WHERE (parent, number, address) > (?, ?, ?) ORDER BY parent, number, address LIMIT ?`,
    first: [before, 0, before],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({
      parent: row[0] as Uint8Array,
      number: u64FromColumn(row[1] as bigint),
      address: row[2] as Uint8Array,
      mint: row[3] as Uint8Array,
    }),
  },
  assetsRemoved: {
    sql: "SELECT change_seq, ord FROM asset_removed WHERE change_seq > ? ORDER BY change_seq LIMIT ?",
    first: [-1],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({ changeSeq: Number(row[0]), ordinal: Number(row[1]) }),
  },
  documents: {
    sql: `SELECT id, ${offchainColumns.join(", ")} FROM offchain WHERE id > ? ORDER BY id LIMIT ?`,
    first: [-1],
    rowsMax: EXPORT_PAGE_DOCUMENTS,
    itemOf: (row) => decodeOffchainRow(row.slice(1)),
  },
};

/** Walks over all tables but that of accounts. */
export const plainPages = (
  connection: Connection,
): { readonly [Table in Exclude<StoreTable, "accounts">]: PagesOf<StoreRows[Table]> } => {
  const walk = <Item>(of: Walk<Item>): PagesOf<Item> => pagesOf(connection, of);
  return {
    links: walk(walks.links),
    ledger: walk(walks.ledger),
    assetsSeen: walk(walks.assetsSeen),
    editions: walk(walks.editions),
    assets: assetPages(connection),
    assetsRemoved: walk(walks.assetsRemoved),
    documents: walk(walks.documents),
  };
};

const pagesOf = <Item>(
  connection: Connection,
  { sql, first, rowsMax, itemOf }: Walk<Item>,
): PagesOf<Item> => {
  const statement = connection.prepare(sql);
  return function* pages() {
    let after = first;
    for (;;) {
      const rows = statement.all(...after, rowsMax);
      if (rows.length === 0) return;
      yield rows.map(itemOf);
      after = (rows.at(-1) as Row).slice(0, first.length);
    }
  };
};

const assetPages = (connection: Connection): PagesOf<StoreRows["assets"]> => {
  const readPage = prepareReadNumberedAssets(connection);
  return function* pages() {
    let from = 0;
    for (;;) {
      const page = readPage(from, EXPORT_PAGE_DOCUMENTS);
      if (page.length === 0) return;
      yield page;
      from = (page.at(-1)?.ordinal as number) + 1;
    }
  };
};
