import {
  answerJoined,
  type ReadHandlers,
  type AnswerTo,
  holdersNotIndexed,
  holdingsNotIndexed,
  type IndexReader,
  type MaybePromise,
  type ReadKind,
  type ReadOf,
  type ReadView,
  type TermReader,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { Connection, countWritesHere } from "../engine/connection.ts";
import type { ImmutableFile } from "../engine/immutable-file.ts";
import { promised } from "../engine/promised.ts";
import { READER_BUSY_MS, readerPragmas } from "../engine/settings.ts";
import { preparePackContents, prepareReadContents } from "../offchain/offchain-store.ts";
import {
  findAccounts,
  prepareFindAccount,
  prepareFindTokenAccounts,
  prepareIsClosed,
} from "../queries/find-account.ts";
import { prepareFindAsset } from "../queries/find-asset.ts";
import { prepareGetAssets } from "../queries/get-assets.ts";
import { prepareListAccountsByDelegate } from "../queries/list-accounts-by-delegate.ts";
import { prepareCountEditions, prepareFindEdition, prepareListEditions } from "../queries/list-editions.ts";
import { prepareListBriefChanges } from "../queries/list-brief-changes.ts";
import { prepareListLargestAccounts } from "../queries/list-largest-accounts.ts";
import { prepareFilterByName, prepareListOrdinals } from "../queries/list-ordinals.ts";
import { prepareCountHolders, prepareListHolders } from "../queries/list-holders.ts";
import { prepareListHoldings, prepareListWallet } from "../queries/list-holdings.ts";
import {
  prepareListChanges,
  prepareReadFactsById,
  prepareReadPositions,
} from "../queries/read-asset-page.ts";
import {
  prepareReadSettings,
  prepareReadViewHead,
  type StoreSettings,
  type ViewHead,
  prepareIsTreeIncomplete,
} from "../queries/read-head.ts";
import { prepareReadLedger } from "../queries/read-ledger.ts";
import { preparePackAssets } from "../queries/pack-assets.ts";
import { prepareSearchAssets } from "../queries/search-assets.ts";
import { assertSchemaIsCurrent } from "../schema/migrate.ts";
import { type CachedItems, prepareItemCache } from "./cached-items.ts";
import { prepareIndexReader } from "./index-reader.ts";

/** A view with bulk reads of the index at its slot, for filling a search index and for checks. */
export interface SqliteReadView extends ReadView {
  readonly index: IndexReader;
}

/** Seconds for `Retry-After` while there is no watermark yet. */
const LOADING_RETRY_SECONDS = 5;

/** One read-only connection with all its prepared statements. It serves one view at a time. */
export class ReadConnection {
  /** The immutable file that it reads; null = a file that may change. */
  readonly immutable: ImmutableFile | null;
  readonly #connection: Connection;
  readonly #readHead;
  readonly #readSettings: () => StoreSettings;
  readonly #readers: Readers;
  #settings: StoreSettings | null = null;
  #settingsRevision = -1;
  #snapshot: Snapshot | null = null;

  /**
   * @param items - that are cached of the same file
   * @param newestSchema - that is accepted; default the newest of this version
   * @throws LamplightError of the STORE family when the file is missing, foreign, or of another schema
   */
  constructor(file: string, immutable: ImmutableFile | null, items: CachedItems, newestSchema?: number) {
    this.immutable = immutable;
    this.#connection = new Connection(file, { readOnly: true, busyMs: READER_BUSY_MS, immutable });
    try {
      assertSchemaIsCurrent(this.#connection, undefined, newestSchema);
      for (const pragma of readerPragmas) this.#connection.execute(`PRAGMA ${pragma}`);
      this.#readHead = prepareReadViewHead(this.#connection);
      this.#readSettings = prepareReadSettings(this.#connection);
      this.#readers = prepareReaders(this.#connection, items, {
        holdings: () => this.#settings?.holdings === true,
        holders: () => this.#settings?.holders === true,
      });
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  /**
   * A view of the newest snapshot, or of the one already taken in this turn of the event loop. `onClose` is called
   * once, when the view is closed; the snapshot is kept until `release`.
   *
   * @throws LamplightError `STORE__LOADING` before the first watermark
   */
  openView(turn: number, onClose: () => void): SqliteReadView {
    if (!this.hasSnapshotOf(turn)) this.#takeSnapshot(turn);
    return new OpenView(this.#snapshot!.head, this.#settings!, this.#readers, onClose);
  }

  /** Whether the last view's snapshot is still current: taken in this turn, with no write of this process since. */
  hasSnapshotOf(turn: number): boolean {
    return this.#snapshot?.turn === turn && this.#snapshot.writesHere === countWritesHere();
  }

  /** Ends the snapshot, if there is one. */
  release(): void {
    if (this.#snapshot === null) return;
    this.#snapshot = null;
    this.#connection.endRead();
  }

  close(): void {
    this.#connection.close();
  }

  #takeSnapshot(turn: number): void {
    this.release();
    const writesHere = countWritesHere();
    this.#connection.beginRead();
    try {
      const head = this.#readHead();
      if (head.slot === null) {
        throw new LamplightError("STORE__LOADING", { retryAfterSeconds: LOADING_RETRY_SECONDS });
      }
      if (this.#settings === null || head.settingsRevision !== this.#settingsRevision) {
        this.#settings = this.#readSettings();
        this.#settingsRevision = head.settingsRevision;
      }
      this.#snapshot = { head, turn, writesHere };
    } catch (error) {
      this.#connection.endRead();
      throw error;
    }
  }
}

/** A read transaction with its first read. */
interface Snapshot {
  readonly head: ViewHead;
  /** Number of the event loop's turn, as the pool counts. */
  readonly turn: number;
  readonly writesHere: number;
}

interface Readers {
  readonly handlers: ReadHandlers<ReadView>;
  readonly terms: Omit<TermReader, "changeSeq" | "storeId" | "nextOrdinal">;
  readonly index: IndexReader;
}

/** Whether the settings of the open view name an index that not every store has. */
interface HasIndex {
  readonly holdings: () => boolean;
  readonly holders: () => boolean;
}

const prepareReaders = (connection: Connection, items: CachedItems, has: HasIndex): Readers => {
  const programs = new ProgramDictionary(connection);
  return {
    handlers: prepareHandlers(connection, programs, items, has),
    terms: {
      listOrdinals: prepareListOrdinals(connection, has.holdings),
      filterByName: prepareFilterByName(connection),
      listChanges: promised(prepareListChanges(connection)),
      listBriefChanges: promised(prepareListBriefChanges(connection)),
      readFacts: promised(prepareReadFactsById(connection)),
      readPositions: promised(prepareReadPositions(connection)),
    },
    index: prepareIndexReader(connection, programs),
  };
};

const prepareHandlers = (
  connection: Connection,
  programs: ProgramDictionary,
  items: CachedItems,
  has: HasIndex,
): ReadHandlers<ReadView> => {
  const findAccount = prepareFindAccount(connection, programs.addressOf);
  const isClosed = prepareIsClosed(connection);
  const findTokenAccounts = prepareFindTokenAccounts(connection, programs.addressOf);
  const listAccountsByDelegate = prepareListAccountsByDelegate(connection, programs, findAccount);
  const listHoldings = prepareListHoldings(connection);
  const listWallet = prepareListWallet(connection);
  const listHolders = prepareListHolders(connection);
  const countHolders = prepareCountHolders(connection);
  const listLargestAccounts = prepareListLargestAccounts(connection);
  const findAsset = prepareFindAsset(connection);
  const isTreeIncomplete = prepareIsTreeIncomplete(connection);
  const readLedger = prepareReadLedger(connection);
  const getAssets = prepareGetAssets(connection);
  const readContents = prepareReadContents(connection);
  const packAssets = preparePackAssets(connection);
  const packContents = preparePackContents(connection);
  const itemCache = prepareItemCache(connection, items);
  const findEdition = prepareFindEdition(connection);
  const listEditions = prepareListEditions(connection);
  const countEditions = prepareCountEditions(connection);
  const searchAssets = prepareSearchAssets(connection, has.holdings);
  return {
    account: (_, { address }) => findAccount(address),
    accountWithMint: answerJoined,
    accounts: (_, { addresses }) => findAccounts(findAccount, addresses),
    isClosed: (_, { address }) => isClosed(address),
    delegated: answerJoined,
    moreDelegated: (_, { query }) => listAccountsByDelegate(query),
    holdings: (_, { query }) => {
      if (!has.holdings()) throw holdingsNotIndexed();
      return listHoldings(query);
    },
    walletHoldings: (_, { query }) => {
      if (!has.holdings()) throw holdingsNotIndexed();
      return listWallet(query);
    },
    heldAccounts: answerJoined,
    tokenAccounts: (_, { addresses }) => findTokenAccounts(addresses),
    holders: (_, { query }) => {
      if (!has.holders()) throw holdersNotIndexed();
      return listHolders(query);
    },
    holderCount: (_, { mint }) => {
      if (!has.holders()) throw holdersNotIndexed();
      return countHolders(mint);
    },
    holderPage: answerJoined,
    largest: (_, { query }) => listLargestAccounts(query),
    asset: answerJoined,
    ownAsset: (_, { id }) => findAsset(id),
    isTreeIncomplete: (_, { tree }) => isTreeIncomplete(tree),
    ledger: (_, { of, keys }) => readLedger(of, keys),
    treeTop: answerJoined,
    leafPath: answerJoined,
    ownAssets: (_, { ordinals, bytesMax }) => getAssets(ordinals, bytesMax),
    contents: (_, { uris, bytesMax }) => readContents(uris, bytesMax),
    packedAssets: (_, { ordinals, bytesMax }) => packAssets(ordinals, bytesMax),
    packedContents: (_, { uris, bytesMax }) => packContents(uris, bytesMax),
    itemCache: () => itemCache(),
    edition: (_, { mintOrAddress }) => findEdition(mintOrAddress),
    editions: (_, { parent, start, limit }) => listEditions(parent, start, limit),
    editionCount: (_, { parent }) => countEditions(parent),
    editionPage: answerJoined,
    search: (_, { query }) => searchAssets(query),
  };
};

class OpenView implements SqliteReadView {
  readonly slot;
  readonly coverage;
  readonly incompleteTrees;
  readonly derivation;
  readonly index;
  readonly #handlers: ReadHandlers<ReadView>;
  readonly #head: ViewHead;
  readonly #storeId: string;
  readonly #terms: Readers["terms"];
  #onClose: (() => void) | null;

  constructor(head: ViewHead, settings: StoreSettings, readers: Readers, onClose: () => void) {
    this.slot = head.slot ?? 0;
    this.coverage = settings.coverage;
    this.incompleteTrees = settings.incompleteTrees;
    this.derivation = settings.derivation;
    this.index = readers.index;
    this.#handlers = readers.handlers;
    this.#head = head;
    this.#storeId = settings.storeId;
    this.#terms = readers.terms;
    this.#onClose = onClose;
  }

  read<Kind extends ReadKind>(asked: ReadOf<Kind>): MaybePromise<AnswerTo<Kind>> {
    return this.#handlers[asked.kind](this, asked);
  }

  /** Created on first use, because most views belong to requests that do not search. */
  get terms(): TermReader {
    const { changeSeq, nextOrdinal } = this.#head;
    return { storeId: this.#storeId, changeSeq, nextOrdinal, ...this.#terms };
  }

  close(): void {
    const onClose = this.#onClose;
    this.#onClose = null;
    onClose?.();
  }
}
