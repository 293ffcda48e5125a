import type { Readable } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";

import type { Log } from "../log/log.ts";

/** Trees listed one by one in a readiness answer; their number is always told. */
const TREES_SHOWN_MAX = 100;

export interface Readiness {
  readonly isReady: boolean;
  readonly body: string;
}

/** Alive: the process answers. */
export const livenessBody = JSON.stringify({ status: "alive" });

/** Ready: the store can be read; tells the slot, what the store covers, and trees that are known to be incomplete. */
export const readReadiness = async (
  readable: Readable,
  isDraining: boolean,
  log: Log,
): Promise<Readiness> => {
  if (isDraining) return { isReady: false, body: JSON.stringify({ status: "stopping" }) };
  try {
    const view = await readable.openView("finalized");
    try {
      const { slot, coverage, incompleteTrees } = view;
      const shown = incompleteTrees.slice(0, TREES_SHOWN_MAX);
      const trees = { incompleteTreeCount: incompleteTrees.length, incompleteTrees: shown };
      return { isReady: true, body: JSON.stringify({ status: "ready", slot, coverage, ...trees }) };
    } finally {
      view.close();
    }
  } catch (error) {
    if (isLamplightError(error, "STORE__LOADING")) {
      return { isReady: false, body: JSON.stringify({ status: "loading" }) };
    }
    log.error({ err: error }, "readiness could not be read");
    return { isReady: false, body: JSON.stringify({ status: "unreadable" }) };
  }
};
