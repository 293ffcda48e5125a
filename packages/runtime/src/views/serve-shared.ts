import type {
  LiveStatus,
  Log,
  NewestAnswered,
  SlotClock,
  UnfinalizedReader,
  ViewSource,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { SharedOverlay } from "@lamplight/indexer";

import type { ServerState } from "../engine/store-engine.ts";
import type { ServeSearch } from "./serve-search.ts";

interface ShareOptions {
  readonly unfinalized: UnfinalizedReader;
  readonly store: ViewSource;
  readonly search: ServeSearch;
  /** Notes when the newest slot advances. */
  readonly clock: SlotClock;
  readonly log: Log;
  /** Was answered before, by all workers that serve the same clients. */
  readonly answered: NewestAnswered;
}

/** Serves a store that another process or thread writes, at every commitment that the writer publishes. */
export const shareOverlay = ({
  unfinalized,
  store,
  search,
  clock,
  log,
  answered,
}: ShareOptions): SharedOverlay => {
  let isLost = false;
  const overlay = new SharedOverlay({
    unfinalized,
    answered,
    viewSource: store,
    over: (view) => search.over(view),
    onRoot: () => search.catchUp(),
    onWentBack: () => {
      log.warn({}, "the store was restored to an earlier state; filling the search index from scratch");
      search.refill();
    },
    onLook: () => {
      clock.note(overlay.state?.processedSlot ?? null);
      if (isLost) log.info({}, "the store can be reached again");
      isLost = false;
    },
    onError: (error) => {
      // Nothing can be read before the first load. A lost connection is logged once, not at every poll.
      if (isLamplightError(error, "STORE__LOADING") || isLost) return;
      isLost = true;
      log.warn({ err: error }, "slots above the finalized one cannot be read");
    },
  });
  return overlay;
};

/**
 * Ready at the last slot that the writer published, unless `maxStaleSeconds` bounds its age.
 *
 * @param servers - those of the store, where it has several
 */
export const sharedStatusOf = (
  overlay: SharedOverlay,
  clock: SlotClock,
  servers: readonly ServerState[],
): LiveStatus => {
  const { state } = overlay;
  const shown = servers.length === 0 ? {} : { servers };
  if (state === null) return { isReady: false, detail: { status: "waiting", ...shown } };
  const { finalizedSlot, confirmedSlot, processedSlot, unreadSlots } = state;
  clock.note(processedSlot);
  const read = clock.newest;
  return {
    isReady: true,
    read,
    detail: {
      status: unreadSlots === 0 ? "shared" : "other version",
      finalizedSlot,
      confirmedSlot,
      processedSlot,
      ...shown,
      secondsSinceChange: read.silentSeconds === null ? null : Math.round(read.silentSeconds),
    },
  };
};
