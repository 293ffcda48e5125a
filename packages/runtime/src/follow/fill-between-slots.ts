import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import type { IndexStore } from "@lamplight/core";
import { fillNodes, type ForkOverlay, hasUnfilledNodes, listsTrees } from "@lamplight/indexer";
import { isPassing } from "../store/when-store-available.ts";

/** Percent of the time in which a follower fills nodes. It writes slots for the rest. */
const FILL_PERCENT = 25;
/** Milliseconds until the finalized slot is read again, and until a store that rejects writes is tried again. */
const RETRY_MS = 1000;

export interface FillBetweenSlotsOptions {
  readonly signal: AbortSignal;
  readonly inform: (line: string) => void;
}

/** Fills the nodes of trees that `lamplight index add das` left, next to the slots that are written. */
export const fillBetweenSlots = async (
  store: IndexStore,
  overlay: ForkOverlay,
  { signal, inform }: FillBetweenSlotsOptions,
): Promise<void> => {
  if (!listsTrees(store) || !(await overlay.whileIdle(() => hasUnfilledNodes(store)))) return;
  // Slots that an earlier process has published may be of a time before nodes were kept.
  const since = overlay.state.processedSlot;
  while (overlay.state.finalizedSlot < since) {
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
  const slots = { since, inTurn: pacedTurns(overlay, signal) };
  const onTree = (tree: Uint8Array, leaves: number): void =>
    inform(`nodes of tree ${encodeAddress(tree)} are filled: ${leaves} leaves so far`);
  while (!signal.aborted) {
    try {
      const { trees } = await fillNodes(store, { signal, onTree, slots });
      if (!signal.aborted) inform(`nodes for proofs are filled: ${trees} trees`);
      return;
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
};

/** Turns between slots, each followed by a pause, so that slots have most of the time. */
const pacedTurns =
  (overlay: ForkOverlay, signal: AbortSignal) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    let workMs = 0;
    const result = await overlay.whileIdle(async () => {
      const startMs = performance.now();
      const done = await work();
      workMs = performance.now() - startMs;
      return done;
    });
    await sleep((100 / FILL_PERCENT - 1) * workMs, undefined, { signal }).catch(() => undefined);
    return result;
  };
