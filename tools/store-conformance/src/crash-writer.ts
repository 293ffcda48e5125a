// Commits one slot after the other and reports each on standard output, until it is killed.
// Arguments: URL of the store's writer module, location.

import type { IndexStore } from "@lamplight/core";
import { writeSync } from "node:fs";
import { crashSlot } from "./chain/crash-chain.ts";

/** The killer comes long before; without it the run has to end by itself. */
const SLOTS_MAX = 100_000;

const [moduleUrl, location] = process.argv.slice(2) as [string, string];
const writer = (await import(moduleUrl)) as { openWriter(location: string): Promise<IndexStore> };
const store = await writer.openWriter(location);
const first = ((await store.readWatermark())?.slot ?? 0) + 1;
for (let slot = first; slot < first + SLOTS_MAX; slot += 1) {
  await store.commit(crashSlot(slot));
  writeSync(1, `${slot}\n`);
}
