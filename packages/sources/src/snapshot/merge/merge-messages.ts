import type { MergedPartition } from "./merge-partition.ts";

export interface MergeSettings {
  /** Null = no lattice hash is computed. */
  readonly lattice: "with-rent-epoch" | "without-rent-epoch" | null;
  /** Whether the hashes for merkle roots are written next to the partitions. */
  readonly merkle: boolean;
  /** The partitions are 2^bits. */
  readonly bits: number;
}

export interface MergeTask {
  readonly partition: number;
  readonly file: string;
  /** Valid bytes of the file. */
  readonly length: number;
}

export interface MergeDone extends MergedPartition {
  readonly partition: number;
  /** All records, winners and others. Arrives from another thread as a plain byte array. */
  readonly bytes: Uint8Array;
  /** The sum of the winners; null when not asked for. */
  readonly lattice: Uint8Array | null;
}
