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
  type NextSet,
  type OffchainStore,
  type UnfinalizedChange,
  type UnfinalizedState,
  type UnfinalizedWriter,
  type Watermark,
} from "@lamplight/core";
import { ProgramDictionary } from "./columns/program-dictionary.ts";
import { parsePostgresUrl } from "./engine/location.ts";
import {
  TOP_ACCOUNTS_PAGE_ROWS,
  TOP_ACCOUNTS_REFILL_MS,
  TOP_ACCOUNTS_SLACK,
  TOP_ACCOUNTS_SPARE,
} from "./engine/settings.ts";
import type { Session } from "./engine/session.ts";
import { statement } from "./engine/statement.ts";
import { WriterSession } from "./writes/writer-session.ts";
import { checkIntegrity } from "./integrity/check-integrity.ts";
import { lockDocuments } from "./offchain/documents-lock.ts";
import { createOffchainStore } from "./offchain/offchain-store.ts";
import { readHead, readSettings } from "./queries/read-head.ts";
import { readUnfinalized } from "./queries/read-unfinalized.ts";
import { readTrees } from "./queries/read-lists.ts";
import { createIndexReader } from "./reader/index-reader.ts";
import { assertOneDatabase } from "./schema/assert-one-database.ts";
import { type AlsoWrite, applyChanges, type Kept } from "./writes/commit.ts";
import type { AccountWriting } from "./writes/write-accounts.ts";
import { createHolderIndex } from "./writes/write-holders.ts";
import { createCoverageRequests, putCoverage, removeTombstones } from "./writes/coverage-requests.ts";
import { assertStillWriter } from "./writes/write-head.ts";
import { createNextSet, readDerivation } from "./writes/next-set.ts";
import { removeUnfinalized, writeUnfinalized } from "./writes/write-unfinalized.ts";
import type { TopAccountsBounds } from "./writes/write-top-accounts.ts";

export interface PostgresStoreOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`. */
  readonly url: string;
  readonly mode: "write";
  /** Create the tables if there are none? Default yes; otherwise `STORE__MISSING`. */
  readonly create?: boolean;
  /** Update an older schema, instead of refusing it? Default: only where the URL says `auto_migrate=on`. */
  readonly migrates?: boolean;
  /** Index fungible holdings (`ownerAddress` with tokens)? Decided when the store is created; default yes. */
  readonly holdings?: boolean;
  /** Rows kept of the largest accounts; the default suits every size. */
  readonly topAccounts?: TopAccountsBounds;
  /**
   * After so long without a sign of life, the server releases the writer's lock and another process may take it;
   * default a minute.
   */
  readonly silenceMs?: number;
  /** Refuse a distributed store? A follower sets it; default no. */
  readonly refuseMixedSlots?: boolean;
}

/** A store that publishes unfinalized slots to other processes. */
export type PostgresIndexStore = IndexStore & UnfinalizedWriter;

const putMeta = statement(
  "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
);

const readMeta = statement("SELECT value FROM meta WHERE key = $1");

/**
 * Opens a store for writing. Creates its tables if there are none. Keeps the writer's lock
 * until `close` or the end of the process. After a lost connection, the next call connects again.
 *
 * @throws LamplightError `STORE__LOCKED` while another writer lives; `STORE__UNREACHABLE`, `STORE__URL`,
 * `STORE__MISSING` (no such database), `STORE__READ_ONLY`, `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`,
 * `STORE__OTHER_FORMAT`, `STORE__NEEDS_MIGRATION`, `STORE__MIXES_SLOTS`, `STORE__NO_SUCH_USE` for one database of a
 * store of several shards
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<PostgresIndexStore> =>
  (await openWithSession(options)).store;

/**
 * The same, with the session that writes the store, for tables next to those of the store.
 *
 * @param isOfShards - whether it may be one database of a store of several shards
 */
export const openWithSession = async (
  options: PostgresStoreOptions,
  isOfShards: boolean = false,
): Promise<{ readonly store: PostgresStore; readonly writer: WriterSession; readonly holdings: boolean }> => {
  const { url, create = true, silenceMs } = options;
  const location = parsePostgresUrl(url);
  const { writer, isNew } = await WriterSession.open(location, create, {
    ...(isOfShards ? { assertUse: async () => {} } : {}),
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(options.migrates === undefined ? {} : { migrates: options.migrates }),
  });
  try {
    if (options.refuseMixedSlots === true)
      await writer.read((session) => assertOneDatabase(session, location.schema));
    if (isNew && options.holdings === false) {
      await writer.write((session) => session.run(putMeta, "holdings", "off"));
    }
    const { holdings, holders } = await writer.read(readSettings);
    const writing = newWriting(holdings, options.topAccounts);
    return { store: new PostgresStore(writer, { ...writing, holders }), writer, holdings };
  } catch (error) {
    await writer.close();
    throw error;
  }
};

/** What a writer remembers of accounts between commits, of one that has just opened. */
export const newWriting = (
  holdings: boolean,
  bounds: TopAccountsBounds = topAccountsBounds,
): AccountWriting => ({
  programs: new ProgramDictionary(),
  topAccounts: { bounds, refill: { search: null } },
  holdings,
  holders: false,
});

const topAccountsBounds: TopAccountsBounds = {
  spare: TOP_ACCOUNTS_SPARE,
  slack: TOP_ACCOUNTS_SLACK,
  pageRows: TOP_ACCOUNTS_PAGE_ROWS,
  refillMs: TOP_ACCOUNTS_REFILL_MS,
};

export class PostgresStore implements PostgresIndexStore {
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
  readonly #writer: WriterSession;
  readonly #writing: AccountWriting;
  /** Whether the published slots are of this writer, or were taken over by it. */
  #isUnfinalizedOurs = false;
  #kept: Kept = { slot: null, changeSeq: 0 };

  constructor(writer: WriterSession, writing: AccountWriting) {
    this.#writer = writer;
    this.#writing = writing;
    const reader = createIndexReader((body) => writer.read(body), writing.programs);
    this.readAccountStates = reader.readAccountStates;
    this.readLinks = reader.readLinks;
    this.readLinkPage = reader.readLinkPage;
    this.readLedger = reader.readLedger;
    this.readSeenSlots = reader.readSeenSlots;
    this.readAssetPage = reader.readAssetPage;
    this.readAssetsChangedSince = reader.readAssetsChangedSince;
    this.readAccountPage = reader.readAccountPage;
    this.holders = createHolderIndex(writer, writing);
    this.readTrees = (after, limit) => writer.read((session) => readTrees(session, after, limit));
    this.coverageRequests = createCoverageRequests(writer);
    this.nextSet = createNextSet(
      writer,
      (changes, also) => this.commitWith(changes, also),
      (session) => this.#removeForeign(session),
    );
    this.offchain = createOffchainStore({
      read: (body) => writer.read(body),
      write: (body) =>
        writer.write(async (session) => {
          await lockDocuments(session);
          const result = await body(session);
          await assertStillWriter(session, writer.epoch);
          return result;
        }),
    });
  }

  commit(changes: ChangeSet): Promise<CommitReceipt> {
    return this.commitWith(changes);
  }

  /** @param also - writes more in the same transaction, and may move the counters of the head */
  async commitWith(changes: ChangeSet, also?: AlsoWrite): Promise<CommitReceipt> {
    try {
      const receipt = await this.#writer.write(async (session) => {
        await this.#removeForeign(session);
        return applyChanges(session, this.#writing, changes, this.#writer.epoch, this.#kept, also);
      });
      this.#isUnfinalizedOurs = true;
      this.#kept = { slot: changes.watermark?.slot ?? this.#kept.slot, changeSeq: receipt.changeSeq };
      return receipt;
    } catch (error) {
      this.#writing.programs.forget();
      this.#writing.topAccounts.refill.search = null;
      throw error;
    }
  }

  /** Slots of another writer were derived from the state that changes here. */
  async #removeForeign(session: Session): Promise<void> {
    if (!this.#isUnfinalizedOurs) await removeUnfinalized(session);
  }

  async takeOverUnfinalized(): Promise<UnfinalizedState> {
    const state = await this.#writer.read((session) => readUnfinalized(session, new Map()));
    this.#isUnfinalizedOurs = true;
    return state;
  }

  async publishUnfinalized(change: UnfinalizedChange): Promise<void> {
    await this.#writer.write((session) => writeUnfinalized(session, change, this.#writer.epoch));
  }

  readDerivation(): Promise<DerivationState> {
    return this.#writer.read(readDerivation);
  }

  readWatermark(): Promise<Watermark | null> {
    return this.#writer.read(async (session) => {
      const { slot, blockhash } = await readHead(session);
      return slot === null ? null : { slot, blockhash };
    });
  }

  readCoverage(): Promise<Coverage> {
    return this.#writer.read(async (session) => (await readSettings(session)).coverage);
  }

  async writeCoverage(coverage: Coverage): Promise<void> {
    await this.#writer.write((session) => putCoverage(session, coverage, this.#writer.epoch));
  }

  async removeTombstones(addresses: readonly AddressBytes[]): Promise<void> {
    await this.#writer.write(async (session) => {
      await removeTombstones(session, addresses);
      await assertStillWriter(session, this.#writer.epoch);
    });
  }

  async readGenesisHash(): Promise<string | null> {
    const row = await this.#writer.read((session) => session.get(readMeta, genesisKey));
    return (row?.[0] ?? null) as string | null;
  }

  async writeGenesisHash(genesisHash: string): Promise<void> {
    await this.#writer.write(async (session) => {
      await session.run(putMeta, genesisKey, genesisHash);
      await assertStillWriter(session, this.#writer.epoch);
    });
  }

  checkIntegrity(): Promise<readonly string[]> {
    return this.#writer.read((session) => checkIntegrity(session, this.#writing.programs));
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
