import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { Connection } from "../engine/connection.ts";
import { PAGE_BYTES, WRITER_BUSY_MS } from "../engine/settings.ts";
import { migrate } from "../schema/migrate.ts";
import type { HeadDraft } from "../writes/write-head.ts";
import { AccountInserter } from "./account-inserter.ts";
import { bulkPragmas } from "./bulk-settings.ts";
import { type DeferredIndexes, deferIndexes } from "./deferred-indexes.ts";
import type { EncodedRows } from "./encode-rows.ts";
import { DelegateIndexes } from "./delegate-indexes.ts";
import { FilePages } from "./pages/file-pages.ts";
import { HoldingSpill } from "./holding-spill.ts";
import type { LoadTarget } from "./load-target.ts";
import { TablePages } from "./pages/table-pages.ts";
import { TopAccountsDraft } from "./top-accounts-draft.ts";

/** First pages of the account table and its indexes, all of them empty. */
interface AccountRoots {
  readonly account: number;
  readonly delegate: number;
  readonly delegateMint: number;
}

/** A new, empty store file with its tables, and without a connection. */
export interface EmptyDraft {
  readonly roots: AccountRoots;
  readonly holdings: boolean;
  readonly indexes: DeferredIndexes;
}

export const makeEmptyDraft = (file: string, holdings: boolean): EmptyDraft => {
  const connection = openBulkConnection(file);
  try {
    migrate(connection);
    if (!holdings) connection.execute("INSERT INTO meta VALUES ('holdings', 'off')");
    const indexes = deferIndexes(connection);
    const rootOf = (name: string): number =>
      connection.readNumber(`SELECT rootpage FROM sqlite_schema WHERE name = '${name}'`);
    const roots = {
      account: rootOf("account"),
      delegate: rootOf("account_delegate"),
      delegateMint: rootOf("account_delegate_mint"),
    };
    return { roots, holdings, indexes };
  } finally {
    connection.close();
  }
};

/**
 * Tables that also receive rows while the account table is written, in the order of their keys, as the draft needs
 * them.
 */
const besideTables = ["program", "account_collision", "stake_hold", "tombstone", "last_life"] as const;

/**
 * Writes the accounts of a new store file. `TablePages` appends to their table without the engine, so no connection
 * may be open until `end`. Rows of other tables go to a second database next to the file.
 */
export class AccountDraft {
  /** Connection of the database next to the draft, which has the tables of a store. */
  readonly otherTables: Connection;
  readonly programs: ProgramDictionary;
  readonly #otherTablesFile: string;
  readonly #pages: FilePages;
  readonly #roots: AccountRoots;
  readonly #table: TablePages;
  readonly #delegates: DelegateIndexes;
  readonly #holdings: HoldingSpill | null;
  readonly #topAccounts = new TopAccountsDraft();
  readonly #inserter: AccountInserter;
  #isWhole = false;

  constructor(
    { draft, otherTables, folder }: LoadTarget,
    { roots, holdings, fileBytesMax }: EmptyDraft & { readonly fileBytesMax?: number | undefined },
  ) {
    this.#otherTablesFile = otherTables;
    this.otherTables = openBulkConnection(otherTables);
    try {
      migrate(this.otherTables);
      this.otherTables.execute("BEGIN");
      this.programs = new ProgramDictionary(this.otherTables);
      this.#pages = new FilePages(draft, fileBytesMax);
    } catch (error) {
      this.otherTables.close();
      throw error;
    }
    this.#roots = roots;
    this.#table = new TablePages(this.#pages, roots.account);
    this.#delegates = new DelegateIndexes(folder);
    this.#holdings = holdings ? new HoldingSpill(folder) : null;
    this.#inserter = new AccountInserter(
      this,
      this.#table,
      this.#delegates,
      this.#holdings,
      this.#topAccounts,
    );
  }

  /** Accounts, collisions among them. */
  get count(): number {
    return this.#inserter.accounts;
  }

  /** Ascending by key over all calls. The memory of the rows may be used again afterwards. */
  add(rows: EncodedRows): void {
    this.#inserter.add(rows);
  }

  /** Ends the account table. Connections can open the file afterwards. */
  end(): void {
    this.#table.end();
    this.#delegates.write(this.#pages, this.#roots);
    this.#delegates.close();
    this.#isWhole = true;
    this.#pages.close();
    this.otherTables.execute("COMMIT");
    this.otherTables.close();
  }

  /** Starts a transaction, and inserts the rows that came with the accounts. */
  insertRest(connection: Connection, head: HeadDraft): void {
    connection.execute(`ATTACH '${resolve(this.#otherTablesFile).replaceAll("'", "''")}' AS other`);
    for (const table of besideTables)
      connection.execute(`INSERT INTO main.${table} SELECT * FROM other.${table}`);
    connection.execute("DETACH other; BEGIN");
    this.#holdings?.insert(connection);
    head.nonCirculatingStakes = this.#inserter.nonCirculatingStakes;
    this.#topAccounts.write(connection, head);
  }

  close(): void {
    if (!this.#isWhole) this.#pages.abandon();
    this.#isWhole = true;
    this.#delegates.close();
    this.#holdings?.close();
    this.otherTables.close();
    rmSync(this.#otherTablesFile, { force: true });
  }
}

/** Creates the file if it does not exist. */
export const openBulkConnection = (file: string, pragmas: readonly string[] = bulkPragmas): Connection => {
  const connection = new Connection(file, { readOnly: false, busyMs: WRITER_BUSY_MS });
  try {
    connection.execute(`PRAGMA page_size = ${PAGE_BYTES}`);
    for (const pragma of pragmas) connection.execute(`PRAGMA ${pragma}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};
