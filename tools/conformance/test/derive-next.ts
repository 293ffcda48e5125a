// A process that follows a chain by two versions of the rules, until it is killed. Arguments: URL of the store, number
// of slots. It prints a line for each finalized slot: its index, and how far the next set is filled.

import { setTimeout as sleep } from "node:timers/promises";
import { shareDone, type UnfinalizedWriter } from "@lamplight/core";
import { ForkOverlay } from "@lamplight/indexer";
import { openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { afterUpgrade, slotsOf } from "./two-rules.ts";

/** Slots between the newest and the finalized one. */
const CONFIRMED_SLOTS = 3;

const [url = "", slots = "0"] = process.argv.slice(2);
const store = await openStoreForWriting(url, { create: false });
const viewSource = await openStoreForReading(url, { withWriter: true });
const overlay = await ForkOverlay.open({
  store,
  viewSource,
  derivations: afterUpgrade,
  closeFromTransactions: false,
  ...("publishUnfinalized" in store ? { shared: store as typeof store & UnfinalizedWriter } : {}),
});
const slotAt = slotsOf();
const first = slotAt(0).slot;
const known = overlay.state.finalizedSlot - first;
for (let index = known + 1; index < Number(slots); index += 1) {
  const one = slotAt(index);
  if (!overlay.has(one.slot)) await overlay.add(one);
  overlay.confirm(one.slot);
  await overlay.fillNext();
  const finalized = index - CONFIRMED_SLOTS;
  if (finalized > known) await overlay.finalize(slotAt(finalized).slot);
  const { nextProgress } = overlay;
  process.stdout.write(`${finalized} ${nextProgress === null ? "done" : shareDone(nextProgress)}\n`);
  await sleep(1);
}
viewSource.close();
await store.close();
