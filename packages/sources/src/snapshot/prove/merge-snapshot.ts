import { readFileSync } from "node:fs";
import { brokenInvariant } from "@lamplight/errors";
import { AccountHasher, addLattice, LATTICE_BYTES } from "../hash/account-hasher.ts";
import { MerkleRoot } from "../hash/merkle-root.ts";
import type { MergeCounts } from "../merge/merge-partition.ts";
import type { MergeDone, MergeSettings, MergeTask } from "../merge/merge-messages.ts";
import { mergePartitions } from "../merge/merge-partitions.ts";
import { partitionFile } from "../merge/partition-writer.ts";
import type { StagedSnapshot } from "../stage/stage-snapshot.ts";
import { type HashPlan, planHashes } from "./hash-plan.ts";
import { type MergeTotals, proveSnapshot, type SnapshotProof } from "./prove-snapshot.ts";

export interface MergeOptions<Done extends MergeOutcome = MergeDone> {
  /** `basic` computes no hashes. Nor can a stage that has no data for some accounts. */
  readonly hashes: "full" | "basic" | "filtered";
  readonly run: RunMerge<Done>;
}

/** Merges all partitions and yields them in their order, with as many threads as it chooses. */
export type RunMerge<Done extends MergeOutcome> = (
  tasks: readonly MergeTask[],
  settings: MergeSettings,
) => AsyncIterable<Done>;

/** Merges in so many threads, a few partitions ahead of the reader; 0 = in the calling thread. */
export const mergeIn =
  (threads: number): RunMerge<MergeDone> =>
  (tasks, settings) =>
    mergePartitions(tasks, settings, threads);

/** The parts of a merged partition that a proof needs. */
export type MergeOutcome = Omit<MergeDone, "bytes" | "winners">;

/** Living accounts of one partition: see `accountsOf`. */
export type WinnerBatch = Pick<MergeDone, "partition" | "bytes" | "winners">;

/** Yields the newest versions, partition by partition, ascending by signed address, and checks hashes at the end. */
export class SnapshotMerge<Done extends MergeOutcome = MergeDone> {
  readonly #staged: StagedSnapshot;
  readonly #options: MergeOptions<Done>;
  readonly #hasher = new AccountHasher();
  readonly #plan: HashPlan;
  readonly #lattice = new Uint8Array(LATTICE_BYTES);
  readonly #counts = { records: 0, addresses: 0, living: 0, tombstones: 0, dataBytes: 0 };
  #lamports = 0n;
  #fullLamports = 0n;
  #partitions = 0;

  constructor(staged: StagedSnapshot, options: MergeOptions<Done>) {
    this.#staged = staged;
    this.#options = options;
    this.#plan = planHashes(staged, this.#hasher);
  }

  /** The way in which accounts are hashed; null where the snapshot has no lattice hash. */
  get latticeForm(): MergeSettings["lattice"] {
    return this.#plan.lattice;
  }

  get counts(): MergeCounts {
    return this.#counts;
  }

  get partitionsTotal(): number {
    return this.#staged.state.lengths.length;
  }

  async *batches(): AsyncGenerator<Done> {
    const { folder, state } = this.#staged;
    const tasks = state.lengths.map((length, partition) => ({
      partition,
      length,
      file: partitionFile(folder, partition),
    }));
    const hashing = this.#options.hashes === "full";
    const settings = {
      bits: state.bits,
      lattice: hashing ? this.#plan.lattice : null,
      merkle: hashing && this.#plan.merkle,
    };
    for await (const done of this.#options.run(tasks, settings)) {
      this.#add(done);
      yield done;
    }
  }

  /**
   * Compares what was merged with what the archives record. Call it after the last batch.
   *
   * @throws LamplightError `SOURCE__SNAPSHOT_MISMATCH`
   */
  prove(): SnapshotProof {
    if (this.#partitions !== this.partitionsTotal) throw brokenInvariant("not all partitions were merged");
    const isHashed = this.#options.hashes === "full";
    const merkle = isHashed && this.#plan.merkle;
    const totals: MergeTotals = {
      counts: this.#counts,
      lamports: this.#lamports,
      fullLamports: this.#fullLamports,
      lattice: isHashed && this.#plan.lattice !== null ? this.#lattice : null,
      fullMerkleRoot: merkle ? this.#merkleRoot("full") : null,
      incrementalMerkleRoot:
        merkle && this.#staged.state.incremental !== null ? this.#merkleRoot("incremental") : null,
    };
    return proveSnapshot(this.#staged, this.#plan, totals, this.#options.hashes, this.#hasher);
  }

  #add(done: MergeOutcome): void {
    this.#partitions += 1;
    for (const name of ["records", "addresses", "living", "tombstones", "dataBytes"] as const) {
      this.#counts[name] += done.counts[name];
    }
    this.#lamports += done.lamports;
    this.#fullLamports += done.fullLamports;
    if (done.lattice !== null) addLattice(this.#lattice, done.lattice);
  }

  /** The merkle tree sorts addresses as unsigned numbers, so the second half of the partitions comes first. */
  #merkleRoot(archive: "full" | "incremental"): Uint8Array {
    const root = new MerkleRoot();
    const count = this.partitionsTotal;
    for (let index = 0; index < count; index += 1) {
      const partition = (index + count / 2) % count;
      const hashes = readFileSync(`${partitionFile(this.#staged.folder, partition)}.${archive}-hashes`);
      for (let at = 0; at < hashes.length; at += 32) root.add(hashes.subarray(at, at + 32));
    }
    return root.root();
  }
}
