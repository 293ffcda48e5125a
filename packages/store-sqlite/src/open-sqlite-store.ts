import {
  type AddressBytes,
  type ChangeSet,
  type CommitReceipt,
  type Coverage,
  type CoverageRequests,
  type DerivationState,
  genesisKey,
  type HolderIndex,
  type IndexReader,
  type IndexStore,
  type LoggedStore,
  type LogState,
  type NextSet,
  type OffchainStore,
  type Watermark,
} from "@lamplight/core";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { ProgramDictionary } from "./columns/program-dictionary.ts";
import { CheckpointThread } from "./engine/checkpoint-thread.ts";
import { Connection } from "./engine/connection.ts";
import { OpenedFile } from "./engine/opened-file.ts";
import {
  NEWEST_STATES_MAX,
  PAGE_BYTES,
  TOP_ACCOUNTS_SLACK,
  TOP_ACCOUNTS_SPARE,
  WRITER_BUSY_MS,
  WRITER_LOG_PAGES,
  WRITER_LOG_PAGES_MAX,
  writerPragmas,
} from "./engine/settings.ts";
import { realFile } from "./engine/store-path.ts";
import { takeWriterLock, type WriterLock } from "./engine/writer-lock.ts";
import { checkIntegrity } from "./integrity/check-integrity.ts";
import { prepareReadHead, prepareReadSettings } from "./queries/read-head.ts";
import { prepareReadAccountStates } from "./queries/read-account-states.ts";
import { prepareReadTrees } from "./queries/read-ledger.ts";
import { prepareIndexReader } from "./reader/index-reader.ts";
import { promised } from "./engine/promised.ts";
import { prepareOffchainStore } from "./offchain/offchain-store.ts";
import { migrate } from "./schema/migrate.ts";
import { type Commits, prepareCommits } from "./writes/commit.ts";
import { prepareCoverageRequests } from "./writes/coverage-requests.ts";
import { prepareRemoveTombstones } from "./writes/write-tombstone.ts";
import { prepareHoldersWriter } from "./writes/write-holders.ts";
import { NewestStates } from "./writes/newest-states.ts";
import { prepareNextSet, prepareReadDerivation } from "./writes/next-set.ts";
import type { TopAccountsBounds } from "./writes/write-top-accounts.ts";

export interface SqliteStoreOptions {
  readonly file: string;
  readonly mode: "write";
  /** Index fungible holdings (`ownerAddress` with tokens)? Decided when the file is created; default yes. */
  readonly holdings?: boolean;
  /** Bound of the file's size (`STORE__FULL`); default: as far as the disk goes. */
  readonly fileBytesMax?: number;
  /** Rows kept of the largest accounts; the default suits every size. */
  readonly topAccounts?: TopAccountsBounds;
  /**
   * Chooses who checkpoints the write-ahead log. Default: the commits themselves, each time the log has grown to its
   * bound. A writer that follows the chain uses a thread between commits, so that no commit waits.
   */
  readonly checkpoints?: "commits" | "thread";
  /**
   * Called with a message when that thread has ended by itself, after which the commits checkpoint. Called also when the
   * disk starts to refuse what the thread moves, and when it takes that again.
   */
  readonly onProblem?: (line: string) => void;
}

/**
 * Opens a store file for writing. Creates it if there is none, and migrates an older one. Keeps the writer's lock
 * until `close` or the end of the process.
 *
 * @throws LamplightError `STORE__LOCKED` at once while another writer lives; `STORE__READ_ONLY`, `STORE__MISSING` (no
 * such folder), `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, `STORE__FULL`, `STORE__CORRUPT`,
 * `STORE__FILE_LOCKED` while a transaction of documents is open
 */
export const openSqliteStore = (options: SqliteStoreOptions): IndexStore => {
  const folder = dirname(options.file);
  if (!existsSync(folder)) throw new LamplightError("STORE__MISSING", { store: folder });
  const lock = takeWriterLock(options.file);
  try {
    return new SqliteStore(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
};

const readMetaSql = "SELECT value FROM meta WHERE key = ?";

class SqliteStore implements IndexStore, LoggedStore {
  readonly readAccountStates: IndexReader["readAccountStates"];
  readonly readLinks: IndexReader["readLinks"];
  readonly readLinkPage: IndexReader["readLinkPage"];
  readonly readLedger: IndexReader["readLedger"];
  readonly readSeenSlots: IndexReader["readSeenSlots"];
  readonly readAssetPage: IndexReader["readAssetPage"];
  readonly readAssetsChangedSince: IndexReader["readAssetsChangedSince"];
  readonly readAccountPage: IndexReader["readAccountPage"];
  readonly offchain: OffchainStore;
  readonly coverageRequests: CoverageRequests;
  readonly nextSet: NextSet;
  readonly holders: HolderIndex;
  readonly readTrees: NonNullable<IndexStore["readTrees"]>;
  readonly readDerivation: () => Promise<DerivationState>;
  readonly #connection: Connection;
  readonly #lock: WriterLock;
  readonly #programs: ProgramDictionary;
  readonly #commits: Commits;
  readonly #readHead;
  readonly #readSettings;
  readonly #putSetting;
  readonly #removeTombstones;
  readonly #checkpoints: CheckpointThread | null;
  readonly #file: string;
  readonly #openedFile: OpenedFile;
  #isOpen = true;

  constructor(options: SqliteStoreOptions, lock: WriterLock) {
    this.#lock = lock;
    this.#file = realFile(options.file);
    this.#connection = openForWriting(options);
    this.#openedFile = new OpenedFile(options.file);
    this.#programs = new ProgramDictionary(this.#connection);
    const reader = prepareIndexReader(this.#connection, this.#programs);
    const newest = new NewestStates(NEWEST_STATES_MAX);
    this.readAccountStates = promised(
      prepareReadAccountStates(this.#connection, this.#programs.addressOf, newest),
    );
    this.readLinks = reader.readLinks;
    this.readLinkPage = reader.readLinkPage;
    this.readLedger = reader.readLedger;
    this.readSeenSlots = reader.readSeenSlots;
    this.readAssetPage = reader.readAssetPage;
    this.readAssetsChangedSince = reader.readAssetsChangedSince;
    this.readAccountPage = reader.readAccountPage;
    this.readTrees = prepareReadTrees(this.#connection);
    this.offchain = prepareOffchainStore(this.#connection);
    const settings = prepareReadSettings(this.#connection)();
    const holders = prepareHoldersWriter(this.#connection, settings.holders);
    this.holders = holders;
    this.#commits = prepareCommits(
      this.#connection,
      this.#programs,
      options.topAccounts ?? { spare: TOP_ACCOUNTS_SPARE, slack: TOP_ACCOUNTS_SLACK },
      settings.holdings,
      holders,
      newest,
    );
    this.readDerivation = promised(prepareReadDerivation(this.#connection));
    const nextSet = prepareNextSet(this.#connection, this.#commits.finish);
    this.nextSet = {
      readSeenPage: nextSet.readSeenPage,
      begin: (version) => this.#write(() => nextSet.begin(version)),
      fill: (rows, progress) => this.#write(() => nextSet.fill(rows, progress)),
      finish: (...asked) => this.#write(() => nextSet.finish(...asked)),
    };
    const requests = prepareCoverageRequests(this.#connection);
    this.coverageRequests = {
      read: requests.read,
      take: (...asked) => this.#write(() => requests.take(...asked)),
    };
    this.#removeTombstones = prepareRemoveTombstones(this.#connection);
    this.#readHead = prepareReadHead(this.#connection);
    this.#readSettings = prepareReadSettings(this.#connection);
    this.#checkpoints =
      options.checkpoints === "thread"
        ? new CheckpointThread(options.file, {
            onFailure: (error) => this.#takeOver(error, options.onProblem),
            onRefused: (reason) => options.onProblem?.(refusalText(options.file, reason)),
          })
        : null;
    this.#putSetting = this.#connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  }

  commit(changes: ChangeSet): Promise<CommitReceipt> {
    return this.#write(async () => this.#commits.commit(changes));
  }

  /**
   * Writes while the log is not restarted, and reports it to the thread that checkpoints.
   *
   * @throws LamplightError `STORE__REPLACED`: commits to a deleted file would be lost
   */
  async #write<Result>(body: () => Promise<Result>): Promise<Result> {
    const restarting = this.#checkpoints?.restarting ?? null;
    if (restarting !== null) await restarting;
    this.#openedFile.checkRegularly();
    this.#openedFile.assertThere();
    const result = await body();
    this.#checkpoints?.committed();
    return result;
  }

  async readWatermark(): Promise<Watermark | null> {
    const { slot, blockhash } = this.#readHead();
    return slot === null ? null : { slot, blockhash };
  }

  async readCoverage(): Promise<Coverage> {
    return this.#readSettings().coverage;
  }

  async writeCoverage(coverage: Coverage): Promise<void> {
    this.#connection.write(() => {
      this.#putSetting.run("coverage", JSON.stringify(coverage));
      this.#connection.execute("UPDATE head SET settings_revision = settings_revision + 1");
    });
  }

  removeTombstones(addresses: readonly AddressBytes[]): Promise<void> {
    return this.#write(async () => this.#removeTombstones(addresses));
  }

  async readGenesisHash(): Promise<string | null> {
    return (this.#connection.prepare(readMetaSql).get(genesisKey)?.[0] as string | undefined) ?? null;
  }

  async writeGenesisHash(genesisHash: string): Promise<void> {
    this.#connection.write(() => this.#putSetting.run(genesisKey, genesisHash));
  }

  async checkIntegrity(): Promise<readonly string[]> {
    return checkIntegrity(this.#connection, this.#programs);
  }

  get logState(): LogState {
    const bytes = statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const { isAlive: isMoved = true, isRefused = false } = this.#checkpoints ?? {};
    return { bytes, isMoved, isRefused };
  }

  /** The thread has failed, so the commits checkpoint again. */
  #takeOver({ message }: Error, onProblem: (line: string) => void = () => {}): void {
    if (!this.#isOpen) return;
    this.#connection.execute(`PRAGMA wal_autocheckpoint = ${WRITER_LOG_PAGES}`);
    onProblem(
      `the thread that moves the log of ${this.#file} into it has ended, commits do it now: ${message}`,
    );
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#checkpoints !== null) await this.#checkpoints.stop();
    this.#connection.close();
    this.#lock.release();
  }
}

const refusalText = (file: string, reason: string | null): string =>
  reason === null
    ? `the log of ${file} is moved into it again`
    : `the disk refuses pages of the log of ${file}, which grows until they can be moved; trying again: ${reason}`;

const openForWriting = (options: SqliteStoreOptions): Connection => {
  const connection = new Connection(options.file, { readOnly: false, busyMs: WRITER_BUSY_MS });
  try {
    // A page size only takes effect on an empty file, before the write-ahead log is enabled.
    connection.execute(`PRAGMA page_size = ${PAGE_BYTES}`);
    for (const pragma of writerPragmas) connection.execute(`PRAGMA ${pragma}`);
    const isNew = migrate(connection);
    if (isNew && options.holdings === false) {
      connection.write(() => connection.execute("INSERT INTO meta VALUES ('holdings', 'off')"));
    }
    if (options.checkpoints === "thread")
      connection.execute(`PRAGMA wal_autocheckpoint = ${WRITER_LOG_PAGES_MAX}`);
    if (options.fileBytesMax !== undefined) {
      connection.execute(`PRAGMA max_page_count = ${Math.ceil(options.fileBytesMax / PAGE_BYTES)}`);
    }
    // Reports a read-only file now, instead of during the work.
    connection.write(() => connection.execute("UPDATE head SET id = 1"));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};
