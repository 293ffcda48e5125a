import type { Readable } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";

import type { Log } from "../log/log.ts";

/** Trees listed one by one in a readiness answer; their number is always told. */
const TREES_SHOWN_MAX = 100;

export interface Readiness {
  readonly isReady: boolean;
  readonly body: string;
}

/** How the following of a chain is, where the serving process does it. */
export interface LiveStatus {
  readonly isReady: boolean;
  /** A word and the slots, as JSON object. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Without the store's name: this page is open to everybody. */
const storeUnreachable = "the store cannot be reached";

/** Alive: the process answers. */
export const livenessBody = JSON.stringify({ status: "alive" });

/** How the search index in memory is: whether it is still being filled, and what it takes. */
export interface SearchReport {
  readonly isFilling: boolean;
  readonly changeSeq: number;
  readonly assets: number;
  readonly terms: number;
  readonly columnBytes: number;
  readonly orderBytes: number;
  readonly termBytes: number;
}

/** What the probes ask, null where there is no such thing. */
export interface Reports {
  readonly live: LiveStatus | null;
  readonly search: SearchReport | null;
}

/** Ready: the store can be read; tells the slot, what the store covers, and trees that are known to be incomplete. */
export const readReadiness = async (
  readable: Readable,
  isDraining: boolean,
  log: Log,
  { live, search }: Reports,
): Promise<Readiness> => {
  if (isDraining) return { isReady: false, body: JSON.stringify({ status: "stopping" }) };
  const follow = live === null ? {} : { follow: live.detail };
  try {
    const view = await readable.openView("finalized");
    try {
      const { slot, coverage, incompleteTrees } = view;
      const shown = incompleteTrees.slice(0, TREES_SHOWN_MAX);
      const trees = { incompleteTreeCount: incompleteTrees.length, incompleteTrees: shown };
      const isReady = live?.isReady ?? true;
      const status = isReady ? "ready" : "behind";
      return {
        isReady,
        body: JSON.stringify({ status, slot, coverage, ...trees, ...follow, ...shownSearch(search) }),
      };
    } finally {
      view.close();
    }
  } catch (error) {
    if (isLamplightError(error, "STORE__LOADING")) {
      return { isReady: false, body: JSON.stringify({ status: "loading", ...follow }) };
    }
    if (isLamplightError(error, "STORE__UNREACHABLE")) {
      log.warn({ err: error }, "readiness could not be read");
      return { isReady: false, body: JSON.stringify({ status: "unreachable", reason: storeUnreachable }) };
    }
    log.error({ err: error }, "readiness could not be read");
    return { isReady: false, body: JSON.stringify({ status: "unreadable" }) };
  }
};

const shownSearch = (search: SearchReport | null): object => {
  if (search === null) return {};
  const { isFilling, ...rest } = search;
  return { search: { status: isFilling ? "filling" : "ready", ...rest } };
};
