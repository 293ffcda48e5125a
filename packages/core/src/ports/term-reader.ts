import type { AddressBytes } from "../domain/address.ts";
import type { AssetFacts, Ordinal } from "../domain/asset.ts";
import type { Criterion } from "../domain/search.ts";

/** A store remembers removed assets for at least so many changes. An index that is further behind is filled again. */
export const REMOVALS_KEPT_CHANGES = 100_000_000;

/** The reads of a search index in memory from a view: terms that it does not keep, and changes. */
export interface TermReader {
  /** Identifies the store. A saved index of another store is not used. */
  readonly storeId: string;
  /** Change counter of this view (`CommitReceipt.changeSeq`). Only an index at the same counter may answer for it. */
  readonly changeSeq: number;
  /**
   * Ordinals of existing assets that match one criterion, ascending, without repeats; null when there are more than
   * `limit`. Reads an index of the store; only `name` reads every name.
   */
  listOrdinals(criterion: Criterion, limit: number): Promise<Uint32Array | null>;
  /** Those of `ordinals` (ascending) whose name contains `name`, regardless of the letter case. */
  filterByName(ordinals: Uint32Array, name: string): Promise<Uint32Array>;
  /** Changes after `changeSeq`, in their order. */
  listChanges(changeSeq: number, limit: number): Promise<readonly AssetChange[]>;
  /** As `listChanges`, with only what a new index needs. Absent where that would not be faster. */
  listBriefChanges?(changeSeq: number, limit: number): Promise<readonly BriefChange[]>;
  /** Number of the next new asset. New assets of slots that are not finalized count up from it. */
  readonly nextOrdinal: Ordinal;
  /** Facts by asset id, null where there is no asset; same order as asked. */
  readFacts(ids: readonly AddressBytes[]): Promise<readonly (NumberedFacts | null)[]>;
  /** The positions that existing assets are sorted by, in the order of `ordinals`. */
  readPositions(ordinals: readonly Ordinal[]): Promise<readonly AssetPosition[]>;
  /** Absent where a store cannot be restored to an earlier state while it is read. */
  readonly history?: StoreHistory;
}

/** Shows whether a store was restored to an earlier state and then written by another writer. */
export interface StoreHistory {
  /** Random name that the last writer took when it opened the store. */
  readonly writer: string;
  /**
   * The newest change of an opening that the view contains: where the next one started, Infinity for the last. Null where
   * the view contains nothing of it.
   */
  through(writer: string): Promise<number | null>;
}

/** The facts that searches sort by. */
export type AssetPosition = Pick<NumberedFacts, "ordinal" | "id" | "createdSlot" | "updatedSlot">;

/** The facts of an asset with its number in the store. */
export type NumberedFacts = AssetFacts & { readonly ordinal: Ordinal };

/** Facts for orders and for criteria of few values, of a fixed size for every asset. Other criteria are read by term. */
export type BriefFacts = Pick<AssetFacts, "id" | "createdSlot" | "updatedSlot"> & {
  /** `closedBitsOf` makes these bits. */
  readonly closed: number;
};

/** One asset after a change, with the facts that a new index needs. */
export interface BriefChange {
  /** Number of the asset. */
  readonly ordinal: Ordinal;
  /** Null when the asset exists no longer. */
  readonly facts: BriefFacts | null;
  /** Change counter of this change. */
  readonly changeSeq: number;
}

/** One asset after a change. */
export interface AssetChange {
  /** Number of the asset. */
  readonly ordinal: Ordinal;
  /** Null when the asset exists no longer. */
  readonly facts: AssetFacts | null;
  /** Change counter of this change. */
  readonly changeSeq: number;
}
