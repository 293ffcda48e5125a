import { availableParallelism } from "node:os";
import type { Account, Slot, StoreExport } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import {
  accountsOf,
  mergeIn,
  SnapshotMerge,
  type SnapshotProof,
  type StagedSnapshot,
} from "@lamplight/sources/snapshot";
import { createLattice } from "./account-lattice.ts";
import { type AccountDifference, createJudge } from "./judge-account.ts";
import type { StageReporter } from "../process/load-stages.ts";
import { pairByAddress } from "./pair-by-address.ts";

export interface SnapshotComparison {
  readonly snapshotSlot: Slot;
  readonly storeSlot: Slot;
  /** Accounts with equal contents. */
  readonly same: number;
  /** Written in the store after the snapshot, so they are not compared. */
  readonly later: number;
  /** Accounts of slots that the store has not reached. */
  readonly pending: number;
  /** Living accounts of the snapshot that the store does not cover. */
  readonly uncovered: number;
  readonly differing: number;
  /** The first of them. */
  readonly differences: readonly AccountDifference[];
  /** Lattice hash over the store's version of accounts that it covers and the snapshot's version of all others. */
  readonly storeChecksum: string | null;
  /** The lattice hash that the snapshot proves; null where its version has none. */
  readonly snapshotChecksum: string | null;
  readonly problems: readonly string[];
}

const DIFFERENCES_MAX = 1000;
const MERGE_THREADS_MAX = 8;

/**
 * Compares a store with a staged snapshot, account by account, in one pass over both. The same pass checks the
 * snapshot against its own hashes.
 *
 * @throws LamplightError `SOURCE__SNAPSHOT_MISMATCH` when the snapshot does not match its own hashes;
 * `STORE__LOADING`
 */
export const compareSnapshot = async (
  staged: StagedSnapshot,
  store: StoreExport,
  emitter: StageReporter,
  signal?: AbortSignal,
): Promise<SnapshotComparison> => {
  const { watermark, coverage } = store.head;
  if (watermark === null) throw new LamplightError("STORE__LOADING", { retryAfterSeconds: 1 });
  const snapshotSlot = (staged.state.incremental ?? staged.state.full).manifest.slot;
  const threads = Math.min(availableParallelism(), MERGE_THREADS_MAX);
  const merge = new SnapshotMerge(staged, { hashes: "full", run: mergeIn(threads) });
  const hasRentEpoch = merge.latticeForm === "with-rent-epoch";
  const judge = createJudge({ snapshotSlot, storeSlot: watermark.slot, coverage, hasRentEpoch });
  const lattice = createLattice(merge.latticeForm);
  const counts = { same: 0, later: 0, pending: 0, uncovered: 0, differing: 0 };
  const differences: AccountDifference[] = [];
  const proved = provedAccounts(merge, emitter, signal);
  for await (const [stored, account] of pairByAddress(storedAccounts(store), proved)) {
    const verdict = judge(stored, account);
    const isDifferent = typeof verdict !== "string";
    if (stored !== null && stored.lamports === 0n && account === null) continue;
    counts[isDifferent ? "differing" : verdict] += 1;
    if (isDifferent && differences.length < DIFFERENCES_MAX) differences.push(verdict);
    const counted = isDifferent || verdict === "same" ? stored : account;
    if (counted !== null && counted.lamports !== 0n) lattice.add(counted);
  }
  const proof = merge.prove();
  return {
    snapshotSlot,
    storeSlot: watermark.slot,
    ...counts,
    differences,
    storeChecksum: lattice.checksum(),
    snapshotChecksum: proof.latticeForm === null ? null : proof.latticeChecksum,
    problems: blockProblems(watermark, proof),
  };
};

/** A slot has one block: another hash at the same slot belongs to another chain. */
const blockProblems = (
  { slot, blockhash }: NonNullable<StoreExport["head"]["watermark"]>,
  proof: SnapshotProof,
): readonly string[] =>
  slot === proof.slot && blockhash !== null && proof.blockhash !== null && blockhash !== proof.blockhash
    ? [`the store is at block ${blockhash} of slot ${slot}; the snapshot has ${proof.blockhash}`]
    : [];

async function* storedAccounts(store: StoreExport): AsyncGenerator<Account> {
  for await (const page of store.pages("accounts")) for (const { current } of page) yield current;
}

async function* provedAccounts(
  merge: SnapshotMerge,
  emitter: StageReporter,
  signal: AbortSignal | undefined,
): AsyncGenerator<Account> {
  for await (const batch of merge.batches()) {
    signal?.throwIfAborted();
    yield* accountsOf(batch);
    emitter.update({
      stage: "compare",
      share: (batch.partition + 1) / merge.partitionsTotal,
      accounts: merge.counts.living,
      bytes: merge.counts.dataBytes,
    });
  }
}
