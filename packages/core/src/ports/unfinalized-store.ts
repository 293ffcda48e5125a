import type { MaybePromise, Slot } from "../domain/address.ts";
import type { Watermark } from "../domain/coverage.ts";

/** One slot above the finalized slot as the writer shows it to other processes: what it changes, in bytes that no store reads. */
export interface UnfinalizedSlot {
  readonly slot: Slot;
  readonly parent: Slot;
  /** Base58 text, null where the source does not carry it. */
  readonly blockhash: string | null;
  readonly body: Uint8Array;
}

/** What is different above the finalized slot since the last call, in one step. */
export interface UnfinalizedChange {
  /** New, or another block than was shown under that number. */
  readonly added: readonly UnfinalizedSlot[];
  /** Died, or was replaced by nothing. Finalized slots are no longer shown anyway. */
  readonly dropped: readonly Slot[];
  readonly confirmedSlot: Slot;
}

/** The head of the shared part: what a reader compares with what it knows. */
export interface UnfinalizedHead {
  /** The finalized slot; null before the first. */
  readonly watermark: Watermark | null;
  readonly changeSeq: number;
  /** At least the finalized slot's; a slot that is not shown counts as the finalized one. */
  readonly confirmedSlot: Slot;
  /** Grows with every `publishUnfinalized` over the life of the store. */
  readonly revision: number;
  /** Names the opening for writing behind it; revisions of another one say nothing. */
  readonly writer: string;
}

/** Everything above the finalized slot at one moment, with the finalized slot it builds on: one state of the store, never parts of two. */
export interface UnfinalizedState extends UnfinalizedHead {
  /** Ascending by slot. `revision` is the one that showed this block; the body is null where the asker has it. */
  readonly slots: readonly (Omit<UnfinalizedSlot, "body"> & {
    readonly revision: number;
    readonly body: Uint8Array | null;
  })[];
}

/**
 * The writer's side of a store that other processes serve from while the chain moves. A commit that moves the
 * watermark also removes what is at or below it, in the same transaction: no one sees a root without its rows.
 */
export interface UnfinalizedWriter {
  /** What the writer before this one showed; empty when anyone else wrote the store in between. */
  takeOverUnfinalized(): MaybePromise<UnfinalizedState>;
  /** All of it or nothing; may be repeated. Fenced as every commit is. */
  publishUnfinalized(change: UnfinalizedChange): MaybePromise<void>;
}

/** The readers' side. */
export interface UnfinalizedReader {
  readUnfinalizedHead(): MaybePromise<UnfinalizedHead>;
  /** @param known - slots whose bodies the asker has, each with the revision that showed it */
  readUnfinalized(known: ReadonlyMap<Slot, number>): MaybePromise<UnfinalizedState>;
}
