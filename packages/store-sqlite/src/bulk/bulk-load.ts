import type { BulkLoad, Coverage, DerivedWrites, LedgerState, Watermark } from "@lamplight/core";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { Connection } from "../engine/connection.ts";
import { PAGE_BYTES, WRITER_BUSY_MS, writerPragmas } from "../engine/settings.ts";
import { assertQuicklySound } from "../integrity/assert-quickly-sound.ts";
import { migrate } from "../schema/migrate.ts";
import { type HeadDraft, type HeadWriter, prepareHeadWriter } from "../writes/write-head.ts";
import { AccountInserter } from "./account-inserter.ts";
import { checkDraft } from "./check-draft.ts";
import { bulkPragmas, BULK_TRANSACTION_ROWS } from "./bulk-settings.ts";
import { type DeferredIndexes, deferIndexes } from "./deferred-indexes.ts";
import { DerivedInserter } from "./derived-inserter.ts";
import { assetBuffers, type EncodedAssets, type EncodedLinks, linkBuffers } from "./encode-derived.ts";
import { buffersOf, type EncodedRows } from "./encode-rows.ts";
import { HoldingSpill } from "./holding-spill.ts";
import { type LoadTarget, publishDraft, removeDraft, SyncAhead, takeLoadTarget } from "./load-target.ts";
import { rowEncoderUrl } from "./row-encoder-url.ts";
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
 * A store built beside its place, under another name.
 *
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

const accountTables = ["account", "account_collision", "stake_hold"];

class SqliteBulkLoad implements BulkLoad {
  readonly folder: string;
  readonly rowEncoderUrl = rowEncoderUrl;
  readonly holdings: boolean;
  readonly #target: LoadTarget;
  readonly #options: BulkLoadOptions;
  readonly #connection: Connection;
  readonly #indexes: DeferredIndexes;
  readonly #topAccounts = new TopAccountsDraft();
  readonly #holdings: HoldingSpill | null;
  readonly #accounts: AccountInserter;
  readonly #derived: DerivedInserter;
  readonly #syncAhead: SyncAhead;
  readonly #heads: HeadWriter;
  readonly #head: HeadDraft;
  #uncommitted = 0;
  #areAccountsComplete = false;
  #isPublished = false;

  constructor(target: LoadTarget, options: BulkLoadOptions) {
    this.#target = target;
    this.#options = options;
    this.folder = target.folder;
    this.holdings = options.holdings ?? true;
    const connection = this.#connect(bulkPragmas);
    this.#connection = connection;
    migrate(connection);
    this.#syncAhead = new SyncAhead(target);
    if (!this.holdings) connection.execute("INSERT INTO meta VALUES ('holdings', 'off')");
    this.#indexes = deferIndexes(connection);
    this.#holdings = this.holdings ? new HoldingSpill(target.folder) : null;
    const programs = new ProgramDictionary(connection);
    this.#accounts = new AccountInserter(connection, programs, this.#holdings, this.#topAccounts);
    this.#derived = new DerivedInserter(connection, target.folder);
    this.#heads = prepareHeadWriter(connection);
    this.#head = this.#heads.read();
    connection.execute("BEGIN");
  }

  insertRows(rows: EncodedRows): void {
    this.#accounts.add(rows);
    release(buffersOf(rows));
    this.#noteRows(rows.count);
  }

  finishAccounts(watermark: Watermark): number {
    const connection = this.#connection;
    this.#holdings?.insert(connection);
    const head = this.#head;
    head.slot = watermark.slot;
    head.blockhash = watermark.blockhash;
    head.stakeHolds = this.#accounts.stakeHolds;
    this.#topAccounts.write(connection, head);
    this.#holdings?.close();
    return this.#accounts.accounts;
  }

  openDerived(): DerivedWrites {
    const [derived, head] = [this.#derived, this.#head];
    return {
      insertLedger: (ledger: readonly LedgerState[]) => derived.insertLedger(ledger, head),
      insertLinks: (page) => {
        const rows = page as EncodedLinks;
        derived.insertLinks(rows);
        release(linkBuffers(rows));
        this.#noteRows(rows.links.cells);
      },
      insertAssets: (page) => {
        const rows = page as EncodedAssets;
        // The first assets come while others are still derived: time for what has nothing to do with them.
        this.#completeAccounts();
        derived.insertAssets(rows, head);
        release(assetBuffers(rows));
        this.#noteRows(rows.count);
      },
      close: () => derived.finish(),
    };
  }

  countIncompleteTrees(): number {
    return this.#connection.readNumber("SELECT count(*) FROM incomplete_tree");
  }

  async publish(
    coverage: Coverage,
    notes: Readonly<Record<string, string>>,
    onStep: (step: string) => void,
    meanwhile: (file: string) => Promise<void> = async () => {},
  ): Promise<void> {
    const { draft } = this.#target;
    this.#completeAccounts();
    this.#finishRows(coverage, notes);
    this.#indexes.build(this.#connection, (name) => onStep(`index ${name}`));
    this.#connection.close();
    this.#syncAhead.start();
    onStep("check");
    await settleAll([
      checkDraft({ file: draft, accounts: this.#accounts.accounts, checked: accountTables }),
      meanwhile(draft),
    ]);
    onStep("sync");
    this.#turnToLog();
    publishDraft(this.#target);
    this.#isPublished = true;
  }

  async close(): Promise<void> {
    this.#connection.close();
    this.#holdings?.close();
    this.#derived.close();
    await this.#syncAhead.close();
    if (!this.#isPublished) removeDraft(this.#target);
    this.#target.lock.release();
  }

  /** From here on it is a store like any other, which is written ahead. */
  #turnToLog(): void {
    this.#connect([...writerPragmas, "synchronous = OFF"]).close();
  }

  /** Indexes of the tables that nothing is written to any more, and a look at their pages. */
  #completeAccounts(): void {
    if (this.#areAccountsComplete) return;
    this.#areAccountsComplete = true;
    this.#indexes.build(this.#connection, undefined, accountTables);
    assertQuicklySound(this.#connection, accountTables);
  }

  #finishRows(coverage: Coverage, notes: Readonly<Record<string, string>>): void {
    const put = this.#connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
    put.run("coverage", JSON.stringify(coverage));
    for (const [key, value] of Object.entries(notes)) put.run(key, value);
    this.#head.settingsRevision += 1;
    this.#heads.write(this.#head);
    this.#connection.execute("COMMIT");
  }

  /** What is written into no journal is no safer for being committed; it only bounds what the engine keeps in memory. */
  #noteRows(count: number): void {
    this.#uncommitted += count;
    if (this.#uncommitted < BULK_TRANSACTION_ROWS) return;
    this.#connection.execute("COMMIT; BEGIN");
    this.#syncAhead.start();
    this.#uncommitted = 0;
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

/** Gives memory back at once: left to the garbage collector, so much of it keeps that busy looking for more. */
const release = (buffers: readonly ArrayBufferLike[]): void => {
  for (const buffer of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
};

/** Waits for all, and then throws what went wrong first: nobody is left working on what is taken away next. */
const settleAll = async (works: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(works);
  await Promise.all(works);
};
