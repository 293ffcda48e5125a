import { linkRoles, type StoreRows, type StoreTable, u64FromColumn } from "@lamplight/core";
import type { Row, Session, Value } from "../engine/session.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { decodeOffchainRow, offchainColumns } from "../offchain/offchain-row.ts";
import { ledgerKinds } from "../queries/read-lists.ts";
import { EXPORT_PAGE_DOCUMENTS, EXPORT_PAGE_ROWS } from "./copy-settings.ts";

/** Begins a walk over a table. */
export type PagesOf<Item> = () => AsyncGenerator<readonly Item[], void, undefined>;

type PlainTable = Exclude<StoreTable, "accounts" | "assets">;

/** One page: rows whose key is above, in the order of the key. The statement's last place is the limit. */
interface Walk<Item> {
  readonly page: Statement;
  /** Columns of the key, which are the first of a row. */
  readonly first: readonly Value[];
  readonly rowsMax: number;
  readonly itemOf: (row: Row) => Item;
}

const before = new Uint8Array(0);

const walks: { readonly [Table in PlainTable]: Walk<StoreRows[Table]> } = {
  links: {
    page: statement(`SELECT target, role, source FROM link
WHERE (target, role, source) > ($1, $2, $3) ORDER BY target, role, source LIMIT $4`),
    first: [before, -1, before],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({
      target: row[0] as Uint8Array,
      role: linkRoles[row[1] as number] as (typeof linkRoles)[number],
      source: row[2] as Uint8Array,
    }),
  },
  ledger: {
    page: statement(
      "SELECT key, kind, tree, state FROM ledger WHERE (key, kind) > ($1, $2) ORDER BY key, kind LIMIT $3",
    ),
    first: [before, -1],
    rowsMax: EXPORT_PAGE_DOCUMENTS,
    itemOf: (row) => ({
      kind: ledgerKinds[row[1] as number] as (typeof ledgerKinds)[number],
      key: row[0] as Uint8Array,
      tree: row[2] as Uint8Array,
      state: row[3] as string,
    }),
  },
  assetsSeen: {
    page: statement("SELECT id, slot FROM asset_seen WHERE id > $1 ORDER BY id LIMIT $2"),
    first: [before],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({ id: row[0] as Uint8Array, slot: Number(row[1]) }),
  },
  editions: {
    page: statement(`SELECT parent, number, address, mint FROM edition
WHERE (parent, number, address) > ($1, $2, $3) ORDER BY parent, number, address LIMIT $4`),
    first: [before, 0n, before],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({
      parent: row[0] as Uint8Array,
      number: u64FromColumn(row[1] as bigint),
      address: row[2] as Uint8Array,
      mint: row[3] as Uint8Array,
    }),
  },
  assetsRemoved: {
    page: statement(
      "SELECT change_seq, ord FROM asset_removed WHERE change_seq > $1 ORDER BY change_seq LIMIT $2",
    ),
    first: [-1n],
    rowsMax: EXPORT_PAGE_ROWS,
    itemOf: (row) => ({ changeSeq: Number(row[0]), ordinal: Number(row[1]) }),
  },
  documents: {
    page: statement(
      `SELECT ${offchainColumns.map(([name]) => name).join(", ")} FROM offchain WHERE uri_key > $1 ORDER BY uri_key LIMIT $2`,
    ),
    first: [before],
    rowsMax: EXPORT_PAGE_DOCUMENTS,
    itemOf: decodeOffchainRow,
  },
};

/** Walks over the tables whose rows are reported as they are. */
export const plainPages = (
  session: Session,
): { readonly [Table in PlainTable]: PagesOf<StoreRows[Table]> } => {
  const walk = <Item>(of: Walk<Item>): PagesOf<Item> => pagesOf(session, of);
  return {
    links: walk(walks.links),
    ledger: walk(walks.ledger),
    assetsSeen: walk(walks.assetsSeen),
    editions: walk(walks.editions),
    assetsRemoved: walk(walks.assetsRemoved),
    documents: walk(walks.documents),
  };
};

const pagesOf = <Item>(session: Session, { page, first, rowsMax, itemOf }: Walk<Item>): PagesOf<Item> =>
  async function* pages() {
    let after = first;
    for (;;) {
      const rows = await session.all(page, ...after, rowsMax);
      if (rows.length === 0) return;
      yield rows.map(itemOf);
      after = (rows.at(-1) as Row).slice(0, first.length) as Value[];
    }
  };
