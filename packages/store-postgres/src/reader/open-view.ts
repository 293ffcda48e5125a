import type {
  Account,
  AddressBytes,
  FoundAsset,
  IndexReader,
  ReadView,
  StoredContent,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { readContents } from "../offchain/offchain-store.ts";
import { findAccount, findAccounts, findAmong, isClosed } from "../queries/find-account.ts";
import { findMasterEdition } from "../queries/find-master-edition.ts";
import { listAccountsByDelegate } from "../queries/list-accounts-by-delegate.ts";
import { countEditions, findEdition, listEditions } from "../queries/list-editions.ts";
import { listLargestAccounts } from "../queries/list-largest-accounts.ts";
import { filterByName, listOrdinals } from "../queries/list-ordinals.ts";
import { listChanges, readFactsById, readPositions } from "../queries/read-asset-page.ts";
import { findAsset, findAssets, getAssets, packAssets } from "../queries/read-documents.ts";
import { beginView, isTreeIncomplete, type OpenedHead, type StoreSettings } from "../queries/read-head.ts";
import { historyOf } from "../queries/read-history.ts";
import { listHoldings } from "../queries/read-lists.ts";
import { searchAssets } from "../queries/search-assets.ts";
import { Gathered, GATHERED_BYTES_MAX, LARGE } from "./gathered.ts";
import { createIndexReader } from "./index-reader.ts";
import type { Knowledge, SharedKnowledge } from "./shared-knowledge.ts";

/** A view with bulk reads of the index at its slot, for filling a search index and for checks. */
export interface PostgresReadView extends ReadView {
  readonly index: IndexReader;
}

/** Seconds for `Retry-After` while there is no watermark yet. */
const LOADING_RETRY_SECONDS = 5;

/** What the views of one reader share. */
export interface ViewSurroundings {
  /** Cancels the session's running statement. */
  readonly stop: (session: Session) => void;
  readonly knowledge: SharedKnowledge;
}

/**
 * Takes the newest snapshot. `giveBack` is called once, when the view is closed and its transaction has ended.
 *
 * @throws LamplightError `STORE__LOADING` before the first watermark, and of the STORE family
 */
export const openViewOn = async (
  session: Session,
  { knowledge, stop }: ViewSurroundings,
  giveBack: () => void,
): Promise<PostgresReadView> => {
  const before = knowledge.seen;
  const head = await beginView(session);
  try {
    if (head.slot === null) {
      throw new LamplightError("STORE__LOADING", { retryAfterSeconds: LOADING_RETRY_SECONDS });
    }
    const known = knowledge.at(head, before);
    return new OpenView(head, await known.settings.at(head.settingsRevision, session), session, known, {
      giveBack,
      stop,
    });
  } catch (error) {
    if (session.isUsable) await endView(session);
    throw error;
  }
};

const gatherContents = (session: Session): Gathered<string, StoredContent | null> =>
  new Gathered<string, StoredContent | null>({
    findAll: async (uris) =>
      (await readContents(session, uris, GATHERED_BYTES_MAX)).map((one) =>
        one?.parts === null ? LARGE : one,
      ),
    findOne: async (uri) => (await readContents(session, [uri]))[0]!,
    isUsable: () => session.isUsable,
  });

/** Ends the transaction. A session that cannot do that is closed. */
const endView = async (session: Session): Promise<void> => {
  await session.execute("COMMIT").catch(() => undefined);
};

class OpenView implements PostgresReadView {
  readonly slot;
  readonly coverage;
  readonly incompleteTrees;
  readonly accounts: ReadView["accounts"];
  readonly assets: ReadView["assets"];
  readonly editions: ReadView["editions"];
  readonly search: ReadView["search"];
  readonly terms: ReadView["terms"];
  readonly index: IndexReader;
  readonly isTreeIncomplete: NonNullable<ReadView["isTreeIncomplete"]>;
  readonly #session: Session;
  readonly #stop: (session: Session) => void;
  #giveBack: (() => void) | null;

  constructor(
    head: OpenedHead,
    { coverage, incompleteTrees, storeId, holdings, hasContents }: StoreSettings,
    session: Session,
    { programs, items }: Knowledge,
    { giveBack, stop }: { readonly giveBack: () => void; readonly stop: ViewSurroundings["stop"] },
  ) {
    this.slot = head.slot ?? 0;
    this.coverage = coverage;
    this.incompleteTrees = incompleteTrees;
    const isUsable = (): boolean => session.isUsable;
    const accounts = new Gathered<AddressBytes, Account | null>({
      findAll: (addresses) => findAmong(session, programs, addresses, GATHERED_BYTES_MAX),
      findOne: (address) => findAccount(session, programs, address),
      isUsable,
    });
    const assets = new Gathered<AddressBytes, FoundAsset | null>({
      findAll: (ids) => findAssets(session, ids, GATHERED_BYTES_MAX),
      findOne: (id) => findAsset(session, id),
      isUsable,
    });
    const contents = gatherContents(session);
    this.accounts = {
      findAccount: (address) => accounts.find(address),
      findAccounts: (addresses) => findAccounts(session, programs, addresses),
      isClosed: (address) => isClosed(session, address),
      listAccountsByDelegate: (query) => listAccountsByDelegate(session, programs, query),
      listHoldings: (query) => listHoldings(session, holdings, query),
      listLargestAccounts: (query) => listLargestAccounts(session, query),
    };
    this.assets = {
      findAsset: (id) => assets.find(id),
      getAssets: (ordinals, bytesMax) => getAssets(session, ordinals, bytesMax),
      packAssets: async (ordinals, bytesMax) => ({
        ...(await packAssets(session, ordinals, bytesMax)),
        mayHaveContents: hasContents,
      }),
      readContents: (uris, bytesMax) => {
        if (!hasContents) return uris.map(() => null);
        const isOne = uris.length === 1 && bytesMax === undefined;
        return isOne ? contents.find(uris[0]!).then((one) => [one]) : readContents(session, uris, bytesMax);
      },
      itemCache: () => items.at(head, session),
    };
    this.editions = {
      findMasterEdition: (mint) => findMasterEdition(session, programs, mint),
      findEdition: (mintOrAddress) => findEdition(session, mintOrAddress),
      listEditions: (parent, start, limit) => listEditions(session, parent, start, limit),
      countEditions: (parent) => countEditions(session, parent),
    };
    this.search = {
      searchAssets: (query, signal) => {
        signal?.throwIfAborted();
        return searchAssets(session, holdings, query);
      },
    };
    this.terms = {
      storeId,
      changeSeq: head.changeSeq,
      nextOrdinal: head.nextOrdinal,
      listOrdinals: (criterion, limit) => listOrdinals(session, holdings, criterion, limit),
      filterByName: (ordinals, name) => filterByName(session, ordinals, name),
      listChanges: (changeSeq, limit) => listChanges(session, changeSeq, limit),
      readPositions: (ordinals) => readPositions(session, ordinals),
      readFacts: (ids) => readFactsById(session, ids),
      history: historyOf(session, head.writer),
    };
    this.index = createIndexReader((body) => body(session), programs);
    this.isTreeIncomplete = (tree) => isTreeIncomplete(session, tree);
    this.#session = session;
    this.#giveBack = giveBack;
    this.#stop = stop;
  }

  cancel(): void {
    if (this.#giveBack !== null && this.#session.cancel()) this.#stop(this.#session);
  }

  close(): void {
    const giveBack = this.#giveBack;
    this.#giveBack = null;
    if (giveBack === null) return;
    this.#session.renew();
    void endView(this.#session).then(giveBack);
  }
}
