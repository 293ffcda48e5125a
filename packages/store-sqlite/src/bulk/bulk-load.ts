import type {
  BulkLoad,
  Coverage,
  DerivedWrites,
  EncodingOptions,
  LedgerState,
  Watermark,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { PAGE_BYTES, writerPragmas } from "../engine/settings.ts";
import { assertQuickCheck } from "../integrity/assert-quick-check.ts";
import { type HeadDraft, type HeadWriter, prepareHeadWriter } from "../writes/write-head.ts";
import { AccountDraft, makeEmptyDraft, openBulkConnection } from "./account-draft.ts";
import { checkDraft } from "./check-draft.ts";
import { bulkPragmas, BULK_TRANSACTION_ROWS, readingCache, writingCache } from "./bulk-settings.ts";
import type { DeferredIndexes } from "./deferred-indexes.ts";
import { DerivedInserter } from "./derived-inserter.ts";
import { assetBuffers, type EncodedAssets, type EncodedLinks, linkBuffers } from "./encode-derived.ts";
import { buffersOf, type EncodedRows } from "./encode-rows.ts";
import {
  releaseLoadTarget,
  type LoadTarget,
  publishDraft,
  removeDraft,
  SyncAhead,
  lockLoadTarget,
} from "./load-target.ts";
import { rowEncoderUrl } from "./row-encoder-url.ts";

export interface BulkLoadOptions {
  /** Path of the finished store: no file yet, or an empty store. */
  readonly file: string;
  /** Index fungible holdings? Default yes. */
  readonly holdings?: boolean;
  /** The draft refuses to grow past this (`STORE__FULL`). */
  readonly fileBytesMax?: number;
}

/**
 * Builds a store next to its final path, under another name.
 *
 * @throws LamplightError `STORE__LOCKED`, `STORE__NOT_EMPTY`, `STORE__NOT_A_STORE`, `STORE__MISSING`,
 * `STORE__READ_ONLY`
 */
export const openBulkLoad = (options: BulkLoadOptions): BulkLoad => {
  const target = lockLoadTarget(options.file);
  try {
    removeDraft(target);
    return new SqliteBulkLoad(target, options);
  } catch (error) {
    releaseLoadTarget(target);
    throw error;
  }
};

/** Fills the tables other than that of accounts. */
interface Rest {
  readonly connection: Connection;
  readonly heads: HeadWriter;
  readonly head: HeadDraft;
  readonly derived: DerivedInserter;
  uncommitted: number;
}

const accountTables = ["account", "account_collision", "stake_hold"];

class SqliteBulkLoad implements BulkLoad {
  readonly folder: string;
  readonly rowEncoderUrl = rowEncoderUrl;
  readonly encoding: EncodingOptions;
  readonly #target: LoadTarget;
  readonly #options: BulkLoadOptions;
  readonly #indexes: DeferredIndexes;
  readonly #accounts: AccountDraft;
  readonly #syncAhead: SyncAhead;
  /** Null until all accounts are written. */
  #rest: Rest | null = null;
  #unsynced = 0;
  #areAccountsComplete = false;
  #isPublished = false;

  constructor(target: LoadTarget, options: BulkLoadOptions) {
    this.#target = target;
    this.#options = options;
    this.folder = target.folder;
    const { holdings = true } = options;
    this.encoding = { holdings };
    const empty = makeEmptyDraft(target.draft, holdings);
    this.#indexes = empty.indexes;
    this.#accounts = new AccountDraft(target, { ...empty, fileBytesMax: options.fileBytesMax });
    this.#syncAhead = new SyncAhead(target);
  }

  async insertRows(rows: EncodedRows): Promise<void> {
    this.#accounts.add(rows);
    release(buffersOf(rows));
    this.#unsynced += rows.count;
    if (this.#unsynced < BULK_TRANSACTION_ROWS) return;
    this.#syncAhead.start();
    this.#unsynced = 0;
  }

  async finishAccounts(watermark: Watermark): Promise<number> {
    this.#accounts.end();
    const connection = this.#connect(bulkPragmas);
    const heads = prepareHeadWriter(connection);
    const derived = new DerivedInserter(connection, this.#target.folder);
    const head = heads.read();
    this.#rest = { connection, heads, head, derived, uncommitted: 0 };
    head.slot = watermark.slot;
    head.blockhash = watermark.blockhash;
    this.#accounts.insertRest(connection, head);
    this.#accounts.close();
    return this.#accounts.count;
  }

  async openDerived(): Promise<DerivedWrites> {
    const { derived, head } = this.#opened();
    return {
      insertLedger: async (ledger: readonly LedgerState[]) => derived.insertLedger(ledger, head),
      insertLinks: async (page) => {
        const rows = page as EncodedLinks;
        derived.insertLinks(rows);
        release(linkBuffers(rows));
        this.#noteRows(rows.links.cells);
      },
      insertAssets: async (page) => {
        const rows = page as EncodedAssets;
        // While the first assets are derived, this thread has time for work that does not need them.
        this.#completeAccounts();
        derived.insertAssets(rows, head);
        release(assetBuffers(rows));
        this.#noteRows(rows.count);
      },
      close: async () => derived.finish(),
    };
  }

  async countIncompleteTrees(): Promise<number> {
    return this.#opened().connection.readNumber("SELECT count(*) FROM incomplete_tree");
  }

  async publish(
    coverage: Coverage,
    notes: Readonly<Record<string, string>>,
    onStep: (step: string) => void,
    meanwhile: (url: string) => Promise<void> = async () => {},
  ): Promise<void> {
    const { draft } = this.#target;
    const { connection } = this.#opened();
    this.#completeAccounts();
    this.#finishRows(coverage, notes);
    this.#indexes.build(connection, (name) => onStep(`index ${name}`));
    connection.close();
    this.#syncAhead.start();
    onStep("check");
    await settleAll([
      checkDraft({ file: draft, accounts: this.#accounts.count, checked: accountTables }),
      meanwhile(`sqlite:${draft}`),
    ]);
    onStep("sync");
    this.#turnToLog();
    publishDraft(this.#target);
    this.#isPublished = true;
  }

  async close(): Promise<void> {
    this.#accounts.close();
    this.#rest?.connection.close();
    this.#rest?.derived.close();
    await this.#syncAhead.close();
    if (!this.#isPublished) removeDraft(this.#target);
    this.#target.lock.release();
  }

  /** Makes the file an ordinary store with a write-ahead log. */
  #turnToLog(): void {
    this.#connect([...writerPragmas, "synchronous = OFF"]).close();
  }

  /** Builds the indexes of the tables that are complete, and checks their pages. */
  #completeAccounts(): void {
    if (this.#areAccountsComplete) return;
    this.#areAccountsComplete = true;
    const { connection } = this.#opened();
    this.#indexes.build(connection, undefined, accountTables);
    connection.execute(`PRAGMA ${readingCache}`);
    assertQuickCheck(connection, accountTables);
    connection.execute(`PRAGMA ${writingCache}`);
  }

  #finishRows(coverage: Coverage, notes: Readonly<Record<string, string>>): void {
    const { connection, heads, head } = this.#opened();
    const put = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
    put.run("coverage", JSON.stringify(coverage));
    for (const [key, value] of Object.entries(notes)) put.run(key, value);
    head.settingsRevision += 1;
    heads.write(head);
    connection.execute("COMMIT");
  }

  /** Without a journal a commit protects nothing; it only bounds the memory of the engine. */
  #noteRows(count: number): void {
    const rest = this.#opened();
    rest.uncommitted += count;
    if (rest.uncommitted < BULK_TRANSACTION_ROWS) return;
    rest.connection.execute("COMMIT; BEGIN");
    this.#syncAhead.start();
    rest.uncommitted = 0;
  }

  #opened(): Rest {
    if (this.#rest === null) throw brokenInvariant("the accounts are not finished");
    return this.#rest;
  }

  #connect(pragmas: readonly string[]): Connection {
    const connection = openBulkConnection(this.#target.draft, pragmas);
    const { fileBytesMax } = this.#options;
    if (fileBytesMax !== undefined) {
      connection.execute(`PRAGMA max_page_count = ${Math.ceil(fileBytesMax / PAGE_BYTES)}`);
    }
    return connection;
  }
}

/** Releases memory at once. The garbage collector would run much more often with so much of it. */
const release = (buffers: readonly ArrayBufferLike[]): void => {
  for (const buffer of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
};

/** Waits for all, then throws the first error. So no task still uses files that are removed next. */
const settleAll = async (works: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(works);
  await Promise.all(works);
};
