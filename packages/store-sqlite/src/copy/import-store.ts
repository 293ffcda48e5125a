import {
  type AccountState,
  emptyChangeSet,
  type NumberedAsset,
  plainTables,
  type StoreHead,
  type StoreImport,
  type StoreRows,
  type StoreTable,
  lastLifeBit,
} from "@lamplight/core";
import { AccountDraft, makeEmptyDraft, openBulkConnection } from "../bulk/account-draft.ts";
import { assertQuickCheck } from "../integrity/assert-quick-check.ts";
import { BULK_TRANSACTION_ROWS } from "../bulk/bulk-settings.ts";
import type { DeferredIndexes } from "../bulk/deferred-indexes.ts";
import { encodeRows } from "../bulk/encode-rows.ts";
import {
  releaseLoadTarget,
  type LoadTarget,
  publishDraft,
  removeDraft,
  removeEmptyFolder,
  lockLoadTarget,
} from "../bulk/load-target.ts";
import { accountKeyOf } from "../columns/account-key.ts";
import type { Connection } from "../engine/connection.ts";
import { writerPragmas } from "../engine/settings.ts";
import { prepareWriteRow } from "../offchain/offchain-store.ts";
import { prepareInsert } from "../writes/insert-plain-row.ts";
import { prepareAssetWriter } from "../writes/write-assets.ts";
import { type HeadDraft, prepareHeadWriter } from "../writes/write-head.ts";
import { prepareLastLifeWriter } from "../writes/write-last-life.ts";
import { prepareWriteLists } from "../writes/write-lists.ts";
import { prepareTombstoneWriter } from "../writes/write-tombstone.ts";

/**
 * Builds a store from the rows of another one, next to its final path, under another name.
 *
 * @param options.file - no file yet, or an empty store
 * @param options.holdings - whether the other one indexes fungible holdings
 * @throws LamplightError `STORE__LOCKED`, `STORE__NOT_EMPTY`, `STORE__NOT_A_STORE`, `STORE__MISSING`,
 * `STORE__READ_ONLY`
 */
export const openSqliteImport = (options: {
  readonly file: string;
  readonly holdings: boolean;
}): StoreImport => {
  const target = lockLoadTarget(options.file);
  try {
    removeDraft(target);
    return new SqliteImport(target, options.holdings);
  } catch (error) {
    releaseLoadTarget(target);
    throw error;
  }
};

class SqliteImport implements StoreImport {
  readonly #target: LoadTarget;
  readonly #indexes: DeferredIndexes;
  readonly #accounts: AccountDraft;
  readonly #writeAccounts: (states: readonly AccountState[]) => void;
  /** Open once all accounts are written. */
  #rest: Rest | null = null;
  #uncommitted = 0;
  #isPublished = false;

  constructor(target: LoadTarget, holdings: boolean) {
    this.#target = target;
    const empty = makeEmptyDraft(target.draft, holdings);
    this.#indexes = empty.indexes;
    this.#accounts = new AccountDraft(target, empty);
    this.#writeAccounts = prepareAccounts(this.#accounts);
  }

  async write<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): Promise<void> {
    if (table === "accounts") {
      this.#writeAccounts(rows as readonly AccountState[]);
      return;
    }
    const { connection, writers } = this.#finishAccounts();
    writers[table as Exclude<Table, "accounts">](rows as never);
    this.#uncommitted += rows.length;
    if (this.#uncommitted < BULK_TRANSACTION_ROWS) return;
    connection.execute("COMMIT; BEGIN");
    this.#uncommitted = 0;
  }

  async finish(head: StoreHead, onStep: (step: string) => void): Promise<void> {
    const rest = this.#finishAccounts();
    writeHead(rest, head);
    rest.connection.execute("COMMIT");
    rest.connection.close();
    const connection = openBulkConnection(this.#target.draft, [...writerPragmas, "synchronous = OFF"]);
    try {
      this.#indexes.build(connection, (name) => onStep(`index ${name}`));
      connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      onStep("check");
      assertQuickCheck(connection);
    } finally {
      connection.close();
    }
    onStep("sync");
    publishDraft(this.#target);
    this.#isPublished = true;
  }

  async close(): Promise<void> {
    this.#accounts.close();
    this.#rest?.connection.close();
    if (!this.#isPublished) removeDraft(this.#target);
    removeEmptyFolder(this.#target);
    this.#target.lock.release();
  }

  /** The first table of an export. */
  #finishAccounts(): Rest {
    if (this.#rest !== null) return this.#rest;
    this.#accounts.end();
    const connection = openBulkConnection(this.#target.draft);
    const head = prepareHeadWriter(connection).read();
    this.#rest = { connection, head, writers: prepareWriters(connection, head) };
    this.#accounts.insertRest(connection, head);
    this.#accounts.close();
    return this.#rest;
  }
}

type Writers = {
  readonly [Table in Exclude<StoreTable, "accounts">]: (rows: readonly StoreRows[Table][]) => void;
};

/** The parts that fill the tables next to those of accounts. */
interface Rest {
  readonly connection: Connection;
  readonly head: HeadDraft;
  readonly writers: Writers;
}

const prepareWriters = (connection: Connection, head: HeadDraft): Writers => {
  const writeLists = prepareWriteLists(connection);
  const assets = prepareAssetWriter(connection);
  const writeDocument = prepareWriteRow(connection);
  const writeRemoved = prepareInsert(connection, plainTables.assetsRemoved);
  return {
    links: (linksAdded) => writeLists({ ...emptyChangeSet, linksAdded }, head),
    ledger: (ledger) => writeLists({ ...emptyChangeSet, ledger }, head),
    assetsSeen: (assetsSeen) => writeLists({ ...emptyChangeSet, assetsSeen }, head),
    editions: (editions) => writeLists({ ...emptyChangeSet, editions }, head),
    assets: (rows: readonly NumberedAsset[]) => {
      for (const asset of rows) assets.insert(asset, asset.ordinal, asset.changeSeq);
    },
    assetsRemoved: (rows) => {
      for (const row of rows) writeRemoved(row);
    },
    documents: (rows) => {
      for (const row of rows) writeDocument(row);
    },
  };
};

const prepareAccounts = (accounts: AccountDraft): ((states: readonly AccountState[]) => void) => {
  const tombstones = prepareTombstoneWriter(accounts.otherTables, accounts.programs);
  const lastLives = prepareLastLifeWriter(accounts.otherTables, accounts.programs);
  return (states) => {
    const living = states.filter(({ current }) => current.lamports > 0n);
    const rows = encodeRows(living.map(({ current }) => current));
    for (const [row, { current, lastLife }] of living.entries()) {
      if (lastLife === null) continue;
      lastLives.replace(accountKeyOf(current.address), lastLife, false);
      rows.flags[row] = (rows.flags[row] as number) | lastLifeBit;
    }
    accounts.add(rows);
    for (const state of states) {
      if (state.current.lamports === 0n) tombstones.put(accountKeyOf(state.current.address), state);
    }
  };
};

const writeHead = (
  { connection, head }: Rest,
  { watermark, changeSeq, nextOrdinal, coverage, notes }: StoreHead,
): void => {
  head.slot = watermark?.slot ?? null;
  head.blockhash = watermark?.blockhash ?? null;
  head.changeSeq = changeSeq;
  head.nextOrdinal = nextOrdinal;
  head.settingsRevision += 1;
  prepareHeadWriter(connection).write(head);
  const put = connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  put.run("coverage", JSON.stringify(coverage));
  for (const [key, value] of Object.entries(notes)) put.run(key, value);
};
