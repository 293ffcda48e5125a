import { type CopyWalk, copyWalks, type StoreRows, type WalkedTable } from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import type { Row, Session, Value } from "../engine/session.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { numberPlaces } from "../queries/search-criteria.ts";

/** Begins a walk over a table. */
export type PagesOf<Item> = () => AsyncGenerator<readonly Item[], void, undefined>;

const walks = copyWalks(
  { ledger: ["key", "kind"], document: { name: "uri_key", type: "bytes" } },
  columnForms,
);

const statements = Object.fromEntries(
  Object.entries(walks).map(([table, { sql }]) => [table, statement(numberPlaces(sql))]),
) as Readonly<Record<WalkedTable, Statement>>;

/** Walks over the tables whose rows are copied as they are. */
export const plainPages = (
  session: Session,
): { readonly [Table in WalkedTable]: PagesOf<StoreRows[Table]> } => {
  const pages = <Table extends WalkedTable>(table: Table): PagesOf<StoreRows[Table]> =>
    pagesOf<StoreRows[Table]>(session, statements[table], walks[table]);
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
  session: Session,
  page: Statement,
  { first, rowsMax, keyOf, itemOf }: CopyWalk<Item>,
): PagesOf<Item> =>
  async function* pages() {
    let after: Row = first;
    for (;;) {
      const rows = await session.all(page, ...(after as Value[]), rowsMax);
      if (rows.length === 0) return;
      yield rows.map(itemOf);
      after = keyOf(rows.at(-1) as Row);
    }
  };
