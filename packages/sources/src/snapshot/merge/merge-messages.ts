import type { Account } from "@lamplight/core";
import type { MergedPartition } from "./merge-partition.ts";

export interface MergeSettings {
  /** Null = no lattice hash is computed. */
  readonly lattice: "with-rent-epoch" | "without-rent-epoch" | null;
  /** Whether the hashes for merkle roots are written beside the partitions. */
  readonly merkle: boolean;
  /** The partitions are 2^bits. */
  readonly bits: number;
  /** Module whose `encodeBatch` turns winners into what the taker wants; null = they are handed over as bytes. */
  readonly encoderUrl: string | null;
}

/** What a module of `encoderUrl` exports. */
export interface BatchEncoder {
  encodeBatch(
    accounts: Iterable<Account>,
    count: number,
  ): { readonly encoded: unknown; readonly buffers: ArrayBufferLike[] };
}

export interface MergeTask {
  readonly partition: number;
  readonly file: string;
  /** Bytes that count. */
  readonly length: number;
}

export interface MergeDone extends MergedPartition {
  readonly partition: number;
  /** Empty when the winners were encoded. */
  readonly bytes: Buffer;
  readonly encoded: unknown;
  /** Memory that can be handed to another thread. */
  readonly buffers: readonly ArrayBufferLike[];
  /** Of the winners; null when not asked for. */
  readonly lattice: Uint8Array | null;
}
