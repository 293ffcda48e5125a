import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "@lamplight/core";
import { findSnapshotSources } from "../src/snapshot/archive/find-archives.ts";
import { mergeIn, SnapshotMerge } from "../src/snapshot/prove/merge-snapshot.ts";
import type { SnapshotProof } from "../src/snapshot/prove/prove-snapshot.ts";
import { accountsOf } from "../src/snapshot/prove/winner-accounts.ts";
import { type StagedSnapshot, stageSnapshot } from "../src/snapshot/stage/stage-snapshot.ts";

export interface LoadedArchives {
  readonly accounts: readonly Account[];
  readonly proof: SnapshotProof;
  readonly staged: StagedSnapshot;
}

/** Stages, merges and proves archives in a fresh folder next to them. */
export const loadArchives = async (
  folder: string,
  full: string,
  incremental: string | null = null,
  threads = 0,
): Promise<LoadedArchives> => {
  const stage = join(folder, "stage");
  rmSync(stage, { recursive: true, force: true });
  const sources = await findSnapshotSources(full, incremental);
  const staged = await stageSnapshot(sources, {
    folder: stage,
    selection: { key: "everything", keepsData: null },
    onProgress: () => {},
  });
  const merge = new SnapshotMerge(staged, { hashes: "full", run: mergeIn(threads) });
  const accounts: Account[] = [];
  for await (const batch of merge.batches()) accounts.push(...accountsOf(batch));
  return { accounts, proof: merge.prove(), staged };
};
