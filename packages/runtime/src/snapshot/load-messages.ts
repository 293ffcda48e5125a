import type { EncodingOptions, LedgerState } from "@lamplight/core";
import type { SpillPlace } from "@lamplight/indexer";
import type { VersionSum } from "./version-sum.ts";
import type { MergeOutcome, MergeSettings, MergeTask } from "@lamplight/sources/snapshot";

/** A thread of a load receives these values at its start. */
export interface LoadThreadData {
  /** The module of the store's encoder: see `BulkEncoder`. */
  readonly encoderUrl: string;
  readonly encoding: EncodingOptions;
  /** Name of this thread among the writers of a place. */
  readonly name: string;
}

/** Steps in this order. Every thread ends a step before the next one starts. `place` is the folder of the claims. */
export type LoadTask =
  | {
      readonly kind: "merge";
      readonly task: MergeTask;
      readonly settings: MergeSettings;
      readonly place: SpillPlace;
    }
  | { readonly kind: "endMerge" }
  | { readonly kind: "join"; readonly partition: number; readonly place: SpillPlace }
  | { readonly kind: "endJoin" }
  | { readonly kind: "derive"; readonly partition: number; readonly place: SpillPlace };

/** Living accounts of a partition, encoded for the store. */
export interface MergedRows extends MergeOutcome {
  readonly kind: "merge";
  readonly encoded: unknown;
  readonly versions: VersionSum;
  /** States of the trees among them. */
  readonly ledger: readonly LedgerState[];
}

/** A page of derived rows, encoded for the store. */
export interface DerivedRows {
  readonly kind: "derived";
  readonly encoded: unknown;
  readonly count: number;
}

export type LoadDone = MergedRows | DerivedRows | { readonly kind: "ended" };
