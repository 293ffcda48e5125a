import type { Account, AddressBytes, Coverage, IndexStore, Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { Connection } from "../engine/connection.ts";
import { PAGE_BYTES, PROBLEMS_MAX, WRITER_BUSY_MS, writerPragmas } from "../engine/settings.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { migrate } from "../schema/migrate.ts";
import { prepareHeadWriter } from "../writes/write-head.ts";
import { AccountInserter } from "./account-inserter.ts";
import { bulkPragmas, BULK_TRANSACTION_ROWS } from "./bulk-settings.ts";
import { type DeferredIndexes, deferIndexes } from "./deferred-indexes.ts";
import { type EncodedRows, encodeRows } from "./encode-rows.ts";
import { HoldingSpill } from "./holding-spill.ts";
import { listAccountPages } from "./list-account-pages.ts";
import { type LoadTarget, publishDraft, removeDraft, takeLoadTarget } from "./load-target.ts";
import { TopAccountsDraft } from "./top-accounts-draft.ts";

export interface BulkLoadOptions {
  /** Where the finished store goes: no file yet, or an empty store. */
  readonly file: string;
  /** Index fungible holdings? Default yes. */
  readonly holdings?: boolean;
  /** The draft refuses to grow past this (`STORE__FULL`). */
  readonly fileBytesMax?: number;
}

/**
 * A store built from empty, beside its place, under another name: nobody sees it before `publish`, and whatever
 * happens before leaves the place as it was. Steps in this order: `insertAccounts` as often as needed,
 * `finishAccounts`, then, if wanted, writes through `openStore`, then `publish`; `close` in any case.
 */
export interface BulkLoad {
  /** A folder for whatever belongs to this load; stays until `publish`. */
  readonly folder: string;
  /** Living accounts, each address once, ascending by signed prefix, then by the rest, over all calls. */
  insertAccounts(accounts: readonly Account[]): void;
  /** The same, encoded by `encodeRows`, maybe in another thread. */
  insertRows(rows: EncodedRows): void;
  /** Fills what follows from the accounts. Answers their number. */
  finishAccounts(watermark: Watermark): number;
  /** Pages of the accounts of these programs, in storage order. After `finishAccounts`. */
  listAccountPages(programs: readonly AddressBytes[]): Iterable<readonly Account[]>;
  /** Trees of which changes are missing, as the ledger says so far. */
  countIncompleteTrees(): number;
  /** The draft as a store; to be closed before `publish`. Its secondary indexes are still missing. */
  openStore(): IndexStore;
  /**
   * Builds the indexes, checks the file, and puts it in its place.
   *
   * @param notes - further entries of the store's key-value table
   */
  publish(coverage: Coverage, notes: Readonly<Record<string, string>>, onStep: (step: string) => void): void;
  /** Removes the draft unless it was published, and gives the writer's lock back. */
  close(): void;
}

/**
 * @throws LamplightError `STORE__LOCKED`, `STORE__NOT_EMPTY`, `STORE__NOT_A_STORE`, `STORE__MISSING`, `STORE__READ_ONLY`
 */
export const openBulkLoad = (options: BulkLoadOptions): BulkLoad => {
  const target = takeLoadTarget(options.file);
  try {
    removeDraft(target);
    return new SqliteBulkLoad(target, options);
  } catch (error) {
    target.lock.release();
    throw error;
  }
};

class SqliteBulkLoad implements BulkLoad {
  readonly folder: string;
  readonly #target: LoadTarget;
  readonly #options: BulkLoadOptions;
  readonly #indexes: DeferredIndexes;
  readonly #topAccounts = new TopAccountsDraft();
  readonly #holdings: HoldingSpill | null;
  #writing: { readonly connection: Connection; readonly inserter: AccountInserter } | null;
  #uncommitted = 0;
  #isPublished = false;

  constructor(target: LoadTarget, options: BulkLoadOptions) {
    this.#target = target;
    this.#options = options;
    this.folder = target.folder;
    const connection = this.#connect(bulkPragmas);
    migrate(connection);
    if (options.holdings === false) connection.execute("INSERT INTO meta VALUES ('holdings', 'off')");
    this.#indexes = deferIndexes(connection);
    this.#holdings = options.holdings === false ? null : new HoldingSpill(target.folder);
    const programs = new ProgramDictionary(connection);
    const inserter = new AccountInserter(connection, programs, this.#holdings, this.#topAccounts);
    this.#writing = { connection, inserter };
    connection.execute("BEGIN");
  }

  insertAccounts(accounts: readonly Account[]): void {
    this.insertRows(encodeRows(accounts, accounts.length));
  }

  insertRows(rows: EncodedRows): void {
    const { connection, inserter } = this.#open();
    inserter.add(rows);
    this.#uncommitted += rows.count;
    if (this.#uncommitted < BULK_TRANSACTION_ROWS) return;
    connection.execute("COMMIT; BEGIN");
    this.#uncommitted = 0;
  }

  finishAccounts(watermark: Watermark): number {
    const { connection, inserter } = this.#open();
    this.#holdings?.insert(connection);
    const heads = prepareHeadWriter(connection);
    const head = heads.read();
    head.slot = watermark.slot;
    head.blockhash = watermark.blockhash;
    head.stakeHolds = inserter.stakeHolds;
    this.#topAccounts.write(connection, head);
    heads.write(head);
    connection.execute("COMMIT");
    const stored = connection.readNumber(
      "SELECT (SELECT count(*) FROM account) + (SELECT count(*) FROM account_collision)",
    );
    if (stored !== inserter.accounts) {
      const reason = `${inserter.accounts} accounts were written, ${stored} are there`;
      throw new LamplightError("STORE__CORRUPT", { store: this.#target.draft, reason });
    }
    connection.close();
    this.#writing = null;
    this.#holdings?.close();
    return stored;
  }

  listAccountPages(programs: readonly AddressBytes[]): Iterable<readonly Account[]> {
    return listAccountPages(this.#target.draft, programs);
  }

  countIncompleteTrees(): number {
    const connection = this.#connect(writerPragmas);
    try {
      return connection.readNumber("SELECT count(*) FROM incomplete_tree");
    } finally {
      connection.close();
    }
  }

  openStore(): IndexStore {
    const { fileBytesMax } = this.#options;
    return openSqliteStore({
      file: this.#target.draft,
      mode: "write",
      ...(fileBytesMax === undefined ? {} : { fileBytesMax }),
    });
  }

  publish(coverage: Coverage, notes: Readonly<Record<string, string>>, onStep: (step: string) => void): void {
    const connection = this.#connect([...writerPragmas, "synchronous = OFF"]);
    try {
      this.#indexes.build(connection, (name) => onStep(`index ${name}`));
      connection.write(() => {
        const put = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
        put.run("coverage", JSON.stringify(coverage));
        for (const [key, value] of Object.entries(notes)) put.run(key, value);
        connection.execute("UPDATE head SET settings_revision = settings_revision + 1");
      });
      connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      onStep("check");
      assertSound(connection);
    } finally {
      connection.close();
    }
    onStep("sync");
    publishDraft(this.#target);
    this.#isPublished = true;
  }

  close(): void {
    this.#writing?.connection.close();
    this.#writing = null;
    this.#holdings?.close();
    if (!this.#isPublished) removeDraft(this.#target);
    this.#target.lock.release();
  }

  #open(): { readonly connection: Connection; readonly inserter: AccountInserter } {
    if (this.#writing === null) throw new Error("the accounts of this load are finished");
    return this.#writing;
  }

  #connect(pragmas: readonly string[]): Connection {
    const connection = new Connection(this.#target.draft, { readOnly: false, busyMs: WRITER_BUSY_MS });
    connection.execute(`PRAGMA page_size = ${PAGE_BYTES}`);
    for (const pragma of pragmas) connection.execute(`PRAGMA ${pragma}`);
    const { fileBytesMax } = this.#options;
    if (fileBytesMax !== undefined) {
      connection.execute(`PRAGMA max_page_count = ${Math.ceil(fileBytesMax / PAGE_BYTES)}`);
    }
    return connection;
  }
}

/** The engine's own quick look at every page; what the rows say was checked while they were written. */
const assertSound = (connection: Connection): void => {
  const problems = connection
    .prepare(`PRAGMA quick_check(${PROBLEMS_MAX})`)
    .all()
    .map((row) => String(row[0]))
    .filter((text) => text !== "ok");
  if (problems.length === 0) return;
  throw new LamplightError("STORE__CORRUPT", { store: connection.file, reason: problems.join("; ") });
};
