import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIndexer, ForkOverlay } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import {
  assetData,
  collectionData,
  coreAccount,
  key,
} from "../../../../packages/indexer/test/encode-core.ts";
import type { Figure } from "../bench.ts";
import { type Attack, MIB } from "./attack.ts";

const MEMBERS = 5000;
/** Far more than are ever unfinalized on a chain that finalizes. */
const SLOTS = 400;
const FIRST_SLOT = 10;
const collection = key(8);

const memberAddress = (number: number): Uint8Array =>
  new Uint8Array(createHash("sha256").update(`member ${number}`).digest());

/** C2: an update of a large collection in every slot, none of which is finalized. */
export const collectionUpdates: Attack = {
  name: "C2 collection updates",
  async run({ share }, say): Promise<readonly Figure[]> {
    const members = Math.round(MEMBERS * share);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-collection-"));
    const store = openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
    const viewSource = openSqliteReader({ file: join(folder, "index.db") });
    try {
      const accounts = Array.from({ length: members }, (_, number) =>
        coreAccount(memberAddress(number), assetData(collection), { slot: FIRST_SLOT }),
      );
      accounts.push(coreAccount(collection, collectionData(members), { slot: FIRST_SLOT }));
      await createIndexer(store).applyAccounts(accounts, { slot: FIRST_SLOT, blockhash: "finalized" });
      const overlay = await ForkOverlay.open({ store, viewSource });
      return await updateUntilStalled(overlay, members, say);
    } finally {
      viewSource.close();
      await store.close();
      rmSync(folder, { recursive: true });
    }
  },
};

const heap = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const updateUntilStalled = async (
  overlay: ForkOverlay,
  members: number,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const before = heap();
  let peakBytes = before;
  let slot = FIRST_SLOT;
  let isStalled = false;
  const startUs = process.cpuUsage().user;
  while (!isStalled && slot < FIRST_SLOT + SLOTS) {
    slot++;
    const data = collectionData(members, [], key(slot % 200));
    const update = { slot, parent: slot - 1, blockhash: null, transactions: [] };
    try {
      await overlay.add({ ...update, accounts: [coreAccount(collection, data, { slot })] });
    } catch (error) {
      if ((error as { code?: string }).code !== "CHAIN__FINALITY_STALLED") throw error;
      isStalled = true;
    }
    peakBytes = Math.max(peakBytes, heap());
  }
  const slots = slot - FIRST_SLOT;
  const usedMs = (process.cpuUsage().user - startUs) / 1000;
  say(`${members} members: stalled: ${isStalled} after ${slots} slots`);
  await overlay.finalize(isStalled ? slot - 1 : slot);
  return [
    { name: "C2 processor time of a slot", value: usedMs / slots, unit: "ms", budget: { atMost: 50 } },
    // Includes what the collector has not freed yet. Deriving the members again would take more than 1 GiB.
    { name: "C2 heap", value: (peakBytes - before) / MIB, unit: "MiB", budget: { atMost: 256 } },
    {
      name: "C2 counted after recovery",
      value: overlay.state.unfinalizedAssetBytes,
      unit: "B",
      budget: { atMost: 0 },
    },
  ];
};
