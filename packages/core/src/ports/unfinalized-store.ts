import type { AddressBytes, Slot } from "../domain/address.ts";
import type { Watermark } from "../domain/coverage.ts";

/** One slot above the finalized one, as the writer publishes it to other processes. */
export interface UnfinalizedSlot {
  /** Number of the slot. */
  readonly slot: Slot;
  /** Its parent: the finalized slot, or another published one. */
  readonly parent: Slot;
  /** Base58 text, null where the source does not carry it. */
  readonly blockhash: string | null;
  /** The changes of the slot; the store does not read these bytes. */
  readonly body: Uint8Array;
}

/** Changes above the finalized slot since the last call, applied in one step. */
export interface UnfinalizedChange {
  /** New slots, and slots whose number had another block before. */
  readonly added: readonly UnfinalizedSlot[];
  /** Slots of dropped forks. A commit removes the finalized ones itself. */
  readonly dropped: readonly Slot[];
  /** The newest confirmed slot. */
  readonly confirmedSlot: Slot;
}

/** The counters that a reader compares with its own, to see whether anything changed. */
export interface UnfinalizedHead {
  /** The finalized slot; null before the first. */
  readonly watermark: Watermark | null;
  /** Change counter of the assets at that slot. */
  readonly changeSeq: number;
  /**
   * The newest confirmed slot, at least the finalized one. A slot that is not published counts as the finalized one.
   */
  readonly confirmedSlot: Slot;
  /**
   * Whether the slots of an ended writer were removed, because another one wrote the store without them. No writer has
   * published since.
   */
  readonly isWithdrawn: boolean;
  /** Grows with every `publishUnfinalized` over the life of the store, and when slots are removed. */
  readonly revision: number;
  /** Random name of the writer, see `StoreHistory`. Revisions of different writers cannot be compared. */
  readonly writer: string;
}

/** The finalized slot and everything above it, read as one state of the store. */
export interface UnfinalizedState extends UnfinalizedHead {
  /** Ascending by slot. `revision` is the one that published this block; the body is null where the reader has it. */
  readonly slots: readonly (Omit<UnfinalizedSlot, "body"> & {
    readonly revision: number;
    readonly body: Uint8Array | null;
  })[];
}

/**
 * Publishes slots that are not finalized, for other processes that serve from this store. A commit that moves the
 * watermark removes the slots up to it in the same transaction, so readers see each slot exactly once.
 */
export interface UnfinalizedWriter {
  /**
   * The slots that the writer before this one published. Empty when another writer, such as a load, came in between.
   */
  takeOverUnfinalized(): Promise<UnfinalizedState>;
  /** Applies everything or nothing, and may be repeated. Refused, like a commit, once another writer has taken over. */
  publishUnfinalized(change: UnfinalizedChange): Promise<void>;
}

/** Reads what another process publishes. */
export interface UnfinalizedReader {
  /** Cheap enough to poll. */
  readUnfinalizedHead(): Promise<UnfinalizedHead>;
  /** @param known - slots whose bodies the reader has, each with the revision that published it */
  readUnfinalized(known: ReadonlyMap<Slot, number>): Promise<UnfinalizedState>;
  /**
   * Data of an account at the newest finalized slot; null where it has none, or they cannot be read now. That slot may be
   * newer than one read before, so the caller checks whether they are the bytes that it needs.
   */
  readFinalizedData(address: AddressBytes): Promise<Uint8Array | null>;
}
