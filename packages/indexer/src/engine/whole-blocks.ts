// A delta has only what it changed of a block of nodes. The rest is added where the delta is committed: nodes of earlier
// changes may be filled in the meantime.

import type { IndexReader } from "@lamplight/core";
import { Delta } from "./delta.ts";
import { ledgerKey } from "./layer.ts";
import { mergeBlocks } from "./merge-blocks.ts";

/** Completes the blocks of a delta, as the store has to keep them. */
export const withWholeBlocks = async (
  store: Pick<IndexReader, "readLedger">,
  delta: Delta,
): Promise<Delta> => {
  const changed = delta.ledger.filter(({ kind }) => kind === "nodes");
  if (changed.length === 0) return delta;
  const known = await store.readLedger(
    "nodes",
    changed.map(({ key }) => key),
  );
  const ledgerStates = new Map(delta.ledgerStates);
  for (const [index, change] of changed.entries()) {
    const before = known[index] ?? null;
    if (before === null) continue;
    const key = ledgerKey("nodes", change.key);
    const whole = mergeBlocks([before, change]);
    if (whole.state === before.state) ledgerStates.delete(key);
    else ledgerStates.set(key, whole);
  }
  return new Delta({ ...delta, ledgerStates }, delta.watermark);
};
