import type { IndexStore, SlotRate, UnfinalizedWriter, ViewSource } from "@lamplight/core";
import { ChainFollower, type ChainGap, ForkOverlay, type ForkOverlayOptions } from "@lamplight/indexer";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import type { OpenedReader } from "../engine/store-engine.ts";
import { openStoreForReading } from "../store/open-store.ts";
import type { LiveChain } from "./connected-source.ts";
import type { FollowOptions } from "./follow-options.ts";

/** A complete store, with everything that following needs of it. */
export interface OpenedChain extends LiveChain {
  /** Null where views are not served in this process. */
  readonly search: SearchLife | null;
  /** Saves the search index. */
  close(): Promise<void>;
}

interface OpenLiveOptions extends FollowOptions, Pick<ForkOverlayOptions, "ignoreUnknownClosings"> {
  readonly onGap: (gap: ChainGap) => void;
  readonly rate: SlotRate;
}

/**
 * Opens readers, search index and overlay of a complete store.
 *
 * @param writer - of the same store; stays open
 * @throws LamplightError `STORE__…`, `STORE__LOADING` for a store without a finalized slot
 */
export const openLive = async (writer: IndexStore, options: OpenLiveOptions): Promise<OpenedChain> => {
  const { store, say, searchCache, withSearch, views, relay = null, onGap, rate } = options;
  const reader = await openStoreForReading(store, { searchCache, withWriter: true, ...(views && { views }) });
  let search: SearchLife | null = null;
  const close = async (): Promise<void> => {
    try {
      await search?.close();
    } catch (error) {
      // The index can always be filled again. A full disk must not prevent closing the rest.
      say(`search index cannot be saved: ${String(error)}`);
    }
    reader.close();
  };
  try {
    const index = withSearch ? await openSearch(reader, say) : null;
    search = index;
    const overlay = await ForkOverlay.open({
      store: writer,
      viewSource: reader,
      ...(index && { over: (view) => index.over(view) }),
      ...publishedBy(writer, reader, relay),
      // Sources report the close of an account as an update of the account.
      closeFromTransactions: false,
      derives: options.derives ?? true,
      ignoreUnknownClosings: options.ignoreUnknownClosings === true,
      onCommit: (changes, receipt) => {
        relay?.noteCommit(changes, receipt);
        void search?.catchUp();
      },
    });
    return { overlay, follower: new ChainFollower({ overlay, onGap, rate }), search, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const openSearch = (reader: OpenedReader, say: (line: string) => void): Promise<SearchLife> =>
  startSearchLife({
    viewSource: reader,
    file: reader.searchFile,
    onError: (error) => say(`search index cannot follow the store: ${String(error)}`),
  });

/**
 * Chooses where an overlay publishes its slots: in a store that other processes read, otherwise to workers, if there
 * are any.
 */
const publishedBy = (
  store: IndexStore,
  viewSource: ViewSource,
  relay: FollowOptions["relay"],
): Pick<ForkOverlayOptions, "shared"> => {
  if (isShared(store)) return { shared: store };
  return relay === null || relay === undefined ? {} : { shared: relay.writerOver(store, viewSource) };
};

/** A store that other processes read. */
const isShared = (store: IndexStore): store is IndexStore & UnfinalizedWriter =>
  "publishUnfinalized" in store;
