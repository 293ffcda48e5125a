import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

const STATEMENT_CELLS = 550;
const TRANSACTION_ROWS = 100_000;
const PAGE_ROWS = 20_000;
/** Pragmas as a load sets them. */
const pragmas = [
  "page_size = 8192",
  "journal_mode = OFF",
  "synchronous = OFF",
  "locking_mode = EXCLUSIVE",
  "cache_size = -262144",
  "temp_store = MEMORY",
];

/**
 * Seconds that it takes to insert every row of a store into another file of the same schema: rows ready in memory, in
 * the order of their keys, many to a statement, without journal, and the secondary indexes after them. No program that
 * makes such a file through SQLite can leave out this work.
 */
export const bareInsertSeconds = (
  from: string,
  to: string,
): { readonly all: number; readonly accounts: number } => {
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(to);
  try {
    for (const pragma of pragmas) target.exec(`PRAGMA ${pragma}`);
    const schema = source
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
      .all() as unknown as readonly { type: string; name: string; sql: string }[];
    const tables = schema.filter(({ type }) => type === "table");
    for (const { sql } of tables) target.exec(sql);
    let all = 0;
    let accounts = 0;
    for (const { name } of tables) {
      const seconds = copyTable(source, target, name);
      all += seconds;
      if (name === "account") accounts = seconds;
    }
    for (const { type, sql } of schema) if (type === "index") all += timed(() => target.exec(sql));
    return { all, accounts };
  } finally {
    source.close();
    target.close();
  }
};

type Row = readonly SQLInputValue[];

const copyTable = (source: DatabaseSync, target: DatabaseSync, table: string): number => {
  const columns = source.prepare(`PRAGMA table_info(${table})`).all() as unknown as readonly {
    name: string;
    pk: number;
  }[];
  const keys = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const order = keys.length === 0 ? "" : `ORDER BY ${keys.map(({ name }) => name).join(", ")}`;
  const read = source.prepare(`SELECT * FROM ${table} ${order}`);
  read.setReadBigInts(true);
  read.setReturnArrays(true);
  const perStatement = Math.max(1, Math.floor(STATEMENT_CELLS / columns.length));
  const row = `(${columns.map(() => "?").join(", ")})`;
  const prepare = (count: number): StatementSync =>
    target.prepare(`INSERT INTO ${table} VALUES ${Array.from({ length: count }, () => row).join(", ")}`);
  const insert = { many: prepare(perStatement), one: prepare(1), perStatement };
  let seconds = timed(() => target.exec("BEGIN"));
  let rows = 0;
  for (const page of pagesOf(read)) {
    seconds += timed(() => {
      insertPage(page, insert);
      const before = rows;
      rows += page.length;
      if (Math.floor(rows / TRANSACTION_ROWS) > Math.floor(before / TRANSACTION_ROWS))
        target.exec("COMMIT; BEGIN");
    });
  }
  return seconds + timed(() => target.exec("COMMIT"));
};

const insertPage = (
  page: readonly Row[],
  insert: { readonly many: StatementSync; readonly one: StatementSync; readonly perStatement: number },
): void => {
  const { many, one, perStatement } = insert;
  let at = 0;
  for (; at + perStatement <= page.length; at += perStatement) {
    many.run(...page.slice(at, at + perStatement).flat());
  }
  for (; at < page.length; at += 1) one.run(...(page[at] as Row));
};

function* pagesOf(read: StatementSync): Generator<readonly Row[]> {
  let page: Row[] = [];
  for (const row of read.iterate()) {
    page.push(row as unknown as Row);
    if (page.length < PAGE_ROWS) continue;
    yield page;
    page = [];
  }
  yield page;
}

const timed = (action: () => void): number => {
  const startMs = performance.now();
  action();
  return (performance.now() - startMs) / 1000;
};
