import type { UnrootedReader } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { SharedOverlay } from "@lamplight/indexer";

import type { LiveStatus } from "../http/probes.ts";
import type { Log } from "../log/log.ts";
import type { ServeSearch } from "./serve-search.ts";

/** Serves what another process writes: all commitments as far as that one shows them. */
export const shareOverlay = (unrooted: UnrootedReader, search: ServeSearch, log: Log): SharedOverlay => {
  let isLost = false;
  return new SharedOverlay({
    unrooted,
    readable: search.readable,
    onRoot: () => search.catchUp(),
    onWentBack: () => {
      log.warn({}, "the store went back to an earlier state: filling the search index anew");
      search.refill();
    },
    onLook: () => {
      if (isLost) log.info({}, "the store can be reached again");
      isLost = false;
    },
    onError: (error) => {
      // Before the first load there is nothing to look at; a loss is told once, not at every look.
      if (isLamplightError(error, "STORE__LOADING") || isLost) return;
      isLost = true;
      log.warn({ err: error }, "unrooted slots cannot be read");
    },
  });
};

/** Always ready: what was shown last is true of its slot. How old it is, is told. */
export const sharedStatusOf = (overlay: SharedOverlay): LiveStatus => {
  const { state } = overlay;
  if (state === null) return { isReady: true, detail: { status: "waiting" } };
  const { rootedSlot, confirmedSlot, processedSlot, changedMs, unreadSlots } = state;
  const secondsSinceChange = changedMs === null ? null : Math.round((Date.now() - changedMs) / 1000);
  return {
    isReady: true,
    detail: {
      status: unreadSlots === 0 ? "shared" : "other version",
      rootedSlot,
      confirmedSlot,
      processedSlot,
      secondsSinceChange,
    },
  };
};
