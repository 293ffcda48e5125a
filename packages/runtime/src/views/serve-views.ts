import {
  type LiveStatus,
  type Log,
  NewestAnswered,
  type ViewSource,
  SlotClock,
  type UnfinalizedReader,
  whenReady,
} from "@lamplight/core";
import type { SearchStatus, SharedIndex } from "@lamplight/search";
import type { OpenedReader } from "../engine/store-engine.ts";
import { type CallerViews, openStoreForReading } from "../store/open-store.ts";
import { ServeSearch } from "./serve-search.ts";
import { sharedStatusOf, shareOverlay } from "./serve-shared.ts";

/** The views of a store that this process does not write, with a search index and unfinalized slots. */
export interface ServedViews {
  readonly viewSource: ViewSource;
  /** Absent for a store that has only finalized slots. */
  readonly liveStatus?: () => LiveStatus;
  /** Null while there is no search index. */
  readonly searchStatus: () => SearchStatus | null;
  /** Starts to fill the index and to poll for new slots. The caller calls it once the server listens. */
  start(): void;
  stop(): Promise<void>;
}

export interface ServeViewsOptions {
  readonly views: CallerViews;
  /** Folder for the search index of a store that is no file. */
  readonly searchCache: string;
  readonly log: Log;
  /** Shared with other threads that serve the same clients. Default: there are none. */
  readonly worker?: WorkerViews;
}

/** A worker shares these with the other workers of its process. */
export interface WorkerViews {
  readonly answered: NewestAnswered;
  /** Requests the index that is filled for all; null where that failed. */
  readonly index: () => Promise<SharedIndex | null>;
  /** Whether this worker saves its index for the next start. Only one does. */
  readonly savesIndex: boolean;
  /** Bytes for cached search terms. */
  readonly termsShare: number;
  /** Unfinalized slots that the main thread publishes; null = the store publishes them, if it can. */
  readonly unfinalized: UnfinalizedReader | null;
}

/**
 * Opens a store to be served.
 *
 * @throws LamplightError `STORE__URL` and of the STORE family
 */
export const serveViews = async (
  url: string,
  { views, searchCache, log, worker }: ServeViewsOptions,
): Promise<ServedViews> => {
  const answered = worker?.answered ?? new NewestAnswered();
  const store = await openStoreForReading(url, {
    views,
    searchCache,
    answered,
    onServer: (server) => log.info({ server }, "reading from another server of the store"),
  });
  const search = openSearch(store, worker, log);
  const clock = new SlotClock();
  const unfinalized = worker?.unfinalized ?? store.unfinalized;
  const shared =
    unfinalized === null ? null : shareOverlay({ unfinalized, store, search, clock, log, answered });
  const viewSource: ViewSource = shared ?? {
    openView: (commitment, opening) => {
      const open = () => store.openView(commitment, opening);
      return whenReady(worker === undefined ? open() : answered.openAsNew(open), (opened) =>
        search.over(opened),
      );
    },
  };
  return {
    viewSource,
    ...(shared === null ? {} : { liveStatus: () => sharedStatusOf(shared, clock, store.servers()) }),
    searchStatus: () => search.status(),
    start: () => {
      search.start();
      shared?.start();
      if (store.isImmutable) log.info({}, "the store's folder is read-only; serving the file as it is");
    },
    stop: async () => {
      await shared?.stop();
      await search.close();
      store.close();
    },
  };
};

const openSearch = (store: OpenedReader, worker: WorkerViews | undefined, log: Log): ServeSearch => {
  if (worker === undefined) return new ServeSearch(store, store.searchFile, log);
  const { index, savesIndex, termsShare } = worker;
  return new ServeSearch(store, savesIndex ? store.searchFile : null, log, { shared: index(), termsShare });
};
