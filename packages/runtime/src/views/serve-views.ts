import { type LiveStatus, type Log, type Readable, SlotClock } from "@lamplight/core";
import type { SearchStatus } from "@lamplight/search";
import { openStoreForReading } from "../store/open-store.ts";
import { ServeSearch } from "./serve-search.ts";
import { sharedStatusOf, shareOverlay } from "./serve-shared.ts";

/** The views of a store that another process writes, or nobody: with a search index, and slots above the finalized one. */
export interface ServedViews {
  readonly readable: Readable;
  /** Absent for a store that has only finalized slots. */
  readonly liveStatus?: () => LiveStatus;
  /** Null while there is no search index. */
  readonly searchStatus: () => SearchStatus | null;
  /** Starts to fill the index and to poll for new slots. To be called once the server listens. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * Opens a store to be served.
 *
 * @param options.views - that callers may hold at once
 * @param options.searchCache - folder for the search index of a store that is no file
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const serveViews = async (
  url: string,
  { views, searchCache, log }: { readonly views: number; readonly searchCache: string; readonly log: Log },
): Promise<ServedViews> => {
  const store = await openStoreForReading(url, { views, searchCache });
  const search = new ServeSearch(store, store.searchFile, log);
  const clock = new SlotClock();
  const shared = store.unrooted === null ? null : shareOverlay(store.unrooted, search, clock, log);
  return {
    readable: shared ?? search.readable,
    ...(shared === null ? {} : { liveStatus: () => sharedStatusOf(shared, clock) }),
    searchStatus: () => search.status(),
    start: () => {
      search.start();
      shared?.start();
      if (store.isStill) log.info({}, "the store's folder is read-only; serving the file as it is");
    },
    stop: async () => {
      await shared?.stop();
      await search.close();
      store.close();
    },
  };
};
