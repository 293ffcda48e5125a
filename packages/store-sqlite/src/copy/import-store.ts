import { rmdirSync } from "node:fs";
import {
  type AccountState,
  emptyChangeSet,
  type NumberedAsset,
  type StoreHead,
  type StoreImport,
  type StoreRows,
  type StoreTable,
} from "@lamplight/core";
import { AccountInserter } from "../bulk/account-inserter.ts";
import { assertQuicklySound } from "../integrity/assert-quickly-sound.ts";
import { bulkPragmas, BULK_TRANSACTION_ROWS } from "../bulk/bulk-settings.ts";
import { type DeferredIndexes, deferIndexes } from "../bulk/deferred-indexes.ts";
import { encodeRows } from "../bulk/encode-rows.ts";
import { HoldingSpill } from "../bulk/holding-spill.ts";
import { type LoadTarget, publishDraft, removeDraft, takeLoadTarget } from "../bulk/load-target.ts";
import { TopAccountsDraft } from "../bulk/top-accounts-draft.ts";
import { accountKeyOf } from "../columns/account-key.ts";
import { lastLifeBit } from "../columns/account-row.ts";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { Connection } from "../engine/connection.ts";
import { PAGE_BYTES, WRITER_BUSY_MS, writerPragmas } from "../engine/settings.ts";
import { prepareWriteRow } from "../offchain/offchain-store.ts";
import { migrate } from "../schema/migrate.ts";
import { prepareAssetWriter } from "../writes/write-assets.ts";
import { type HeadDraft, prepareHeadWriter } from "../writes/write-head.ts";
import { prepareLastLifeWriter } from "../writes/write-last-life.ts";
import { prepareWriteLists } from "../writes/write-lists.ts";
import { prepareTombstoneWriter } from "../writes/write-tombstone.ts";

/**
 * A store built from the rows of another one, beside its place, under another name.
 *
 * @param options.file - no file yet, or an empty store
 * @param options.holdings - whether the other one indexes fungible holdings
 * @throws LamplightError `STORE__LOCKED`, `STORE__NOT_EMPTY`, `STORE__NOT_A_STORE`, `STORE__MISSING`, `STORE__READ_ONLY`
 */
export const openSqliteImport = (options: {
  readonly file: string;
  readonly holdings: boolean;
}): StoreImport => {
  const target = takeLoadTarget(options.file);
  try {
    removeDraft(target);
    return new SqliteImport(target, options.holdings);
  } catch (error) {
    target.lock.release();
    throw error;
  }
};

class SqliteImport implements StoreImport {
  readonly #target: LoadTarget;
  readonly #connection: Connection;
  readonly #indexes: DeferredIndexes;
  readonly #draft: Draft;
  #uncommitted = 0;
  #isPublished = false;

  constructor(target: LoadTarget, holdings: boolean) {
    this.#target = target;
    this.#connection = connect(target.draft, bulkPragmas);
    migrate(this.#connection);
    if (!holdings) this.#connection.execute("INSERT INTO meta VALUES ('holdings', 'off')");
    this.#indexes = deferIndexes(this.#connection);
    this.#draft = new Draft(this.#connection, holdings ? new HoldingSpill(target.folder) : null);
    this.#connection.execute("BEGIN");
  }

  write<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): void {
    this.#draft.writers[table](rows);
    this.#uncommitted += rows.length;
    if (this.#uncommitted < BULK_TRANSACTION_ROWS) return;
    this.#connection.execute("COMMIT; BEGIN");
    this.#uncommitted = 0;
  }

  finish(head: StoreHead, onStep: (step: string) => void): void {
    this.#draft.finish(head);
    this.#connection.execute("COMMIT");
    this.#connection.close();
    const connection = connect(this.#target.draft, [...writerPragmas, "synchronous = OFF"]);
    try {
      this.#indexes.build(connection, (name) => onStep(`index ${name}`));
      connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      onStep("check");
      assertQuicklySound(connection);
    } finally {
      connection.close();
    }
    onStep("sync");
    publishDraft(this.#target);
    this.#isPublished = true;
  }

  close(): void {
    this.#connection.close();
    this.#draft.close();
    if (!this.#isPublished) removeDraft(this.#target);
    removeFolder(this.#target);
    this.#target.lock.release();
  }
}

type Writers = { readonly [Table in StoreTable]: (rows: readonly StoreRows[Table][]) => void };

/** The tables of a draft while rows come in. */
class Draft {
  readonly writers: Writers;
  readonly #connection: Connection;
  readonly #holdings: HoldingSpill | null;
  readonly #topAccounts = new TopAccountsDraft();
  readonly #inserter: AccountInserter;
  readonly #head: HeadDraft;

  constructor(connection: Connection, holdings: HoldingSpill | null) {
    this.#connection = connection;
    this.#holdings = holdings;
    const programs = new ProgramDictionary(connection);
    this.#inserter = new AccountInserter(connection, programs, holdings, this.#topAccounts);
    this.#head = prepareHeadWriter(connection).read();
    const writeLists = prepareWriteLists(connection);
    const assets = prepareAssetWriter(connection);
    const writeDocument = prepareWriteRow(connection);
    const removed = connection.prepare("INSERT INTO asset_removed (change_seq, ord) VALUES (?, ?)");
    this.writers = {
      accounts: this.#prepareAccounts(programs),
      links: (linksAdded) => writeLists({ ...emptyChangeSet, linksAdded }, this.#head),
      ledger: (ledger) => writeLists({ ...emptyChangeSet, ledger }, this.#head),
      assetsSeen: (assetsSeen) => writeLists({ ...emptyChangeSet, assetsSeen }, this.#head),
      editions: (editions) => writeLists({ ...emptyChangeSet, editions }, this.#head),
      assets: (rows: readonly NumberedAsset[]) => {
        for (const asset of rows) assets.insert(asset, asset.ordinal, asset.changeSeq);
      },
      assetsRemoved: (rows) => {
        for (const { changeSeq, ordinal } of rows) removed.run(changeSeq, ordinal);
      },
      documents: (rows) => {
        for (const row of rows) writeDocument(row);
      },
    };
  }

  /** Fills what follows from the rows, and the head. */
  finish({ watermark, changeSeq, nextOrdinal, coverage, notes }: StoreHead): void {
    this.#holdings?.insert(this.#connection);
    const head = this.#head;
    head.slot = watermark?.slot ?? null;
    head.blockhash = watermark?.blockhash ?? null;
    head.changeSeq = changeSeq;
    head.nextOrdinal = nextOrdinal;
    head.stakeHolds = this.#inserter.stakeHolds;
    head.settingsRevision += 1;
    this.#topAccounts.write(this.#connection, head);
    prepareHeadWriter(this.#connection).write(head);
    const put = this.#connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
    put.run("coverage", JSON.stringify(coverage));
    for (const [key, value] of Object.entries(notes)) put.run(key, value);
  }

  close(): void {
    this.#holdings?.close();
  }

  #prepareAccounts(programs: ProgramDictionary): (states: readonly AccountState[]) => void {
    const tombstones = prepareTombstoneWriter(this.#connection, programs);
    const lastLives = prepareLastLifeWriter(this.#connection, programs);
    const marks = ["account", "account_collision"].map((table) =>
      this.#connection.prepare(
        `UPDATE ${table} SET flags = flags | ${lastLifeBit} WHERE id = ? AND tail = ?`,
      ),
    );
    return (states) => {
      const living = states.filter(({ current }) => current.lamports > 0n);
      this.#inserter.add(encodeRows(living.map(({ current }) => current)));
      for (const { current, lastLife } of living) {
        if (lastLife === null) continue;
        const key = accountKeyOf(current.address);
        lastLives.replace(key, lastLife, false);
        for (const mark of marks) mark.run(key.id, key.tail);
      }
      for (const state of states) {
        if (state.current.lamports === 0n) tombstones.put(accountKeyOf(state.current.address), state);
      }
    };
  }
}

const connect = (file: string, pragmas: readonly string[]): Connection => {
  const connection = new Connection(file, { readOnly: false, busyMs: WRITER_BUSY_MS });
  connection.execute(`PRAGMA page_size = ${PAGE_BYTES}`);
  for (const pragma of pragmas) connection.execute(`PRAGMA ${pragma}`);
  return connection;
};

/** What an interrupted load may go on from stays. */
const removeFolder = ({ folder }: LoadTarget): void => {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOTEMPTY")) throw error;
  }
};
