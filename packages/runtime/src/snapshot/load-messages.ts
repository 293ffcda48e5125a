import type { LedgerState } from "@lamplight/core";
import type { SpillPlace } from "@lamplight/indexer";
import type { VersionSum } from "./version-sum.ts";
import type { MergeOutcome, MergeSettings, MergeTask } from "@lamplight/sources/snapshot";

/** What a thread of a load knows from the beginning. */
export interface LoadThreadData {
  /** Of the store: see `BulkEncoder`. */
  readonly encoderUrl: string;
  readonly holdings: boolean | undefined;
  /** One of the writers of every place. */
  readonly name: string;
}

/** In this order; a step is ended in every thread before the next begins. `place` is where claims are filed. */
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

/** Living accounts of a partition, as the store needs them. */
export interface MergedRows extends MergeOutcome {
  readonly kind: "merge";
  readonly encoded: unknown;
  readonly versions: VersionSum;
  /** States of the trees among them. */
  readonly ledger: readonly LedgerState[];
}

/** A page of what was derived, as the store needs it. */
export interface DerivedRows {
  readonly kind: "derived";
  readonly encoded: unknown;
  readonly count: number;
}

export type LoadDone = MergedRows | DerivedRows | { readonly kind: "ended" };
