import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, AccountBatch, type Asset } from "@lamplight/core";
import { ClaimSpill, type SpillPlace } from "../src/engine/bulk/claim-spill.ts";
import { derivePartition } from "../src/engine/bulk/derive-partition.ts";
import { PartJoin } from "../src/engine/bulk/join-partition.ts";

const writer = "test";
const BITS = 1;

/** The assets of these accounts as a ledger snapshot's load derives them: in bulk, without a store to read from. */
export const deriveInBulk = (accounts: readonly Account[]): readonly Asset[] => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-bulk-"));
  try {
    const place: SpillPlace = { folder, bits: BITS, writers: [writer] };
    const spill = new ClaimSpill(place, writer);
    spill.add(AccountBatch.of(accounts));
    spill.close();
    const partitions = Array.from({ length: 2 ** BITS }, (_, partition) => partition);
    const parts = new PartJoin(place, writer);
    for (const partition of partitions) parts.join(partition);
    parts.close();
    return partitions.flatMap((partition) =>
      [...derivePartition(place, partition)].flatMap(({ asset }) => (asset === null ? [] : [asset])),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
