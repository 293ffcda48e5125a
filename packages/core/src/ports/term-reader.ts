import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { AssetFacts, Ordinal } from "../domain/asset.ts";
import type { Criterion } from "../domain/search.ts";
import type { Holding } from "./index-store.ts";

/** For so many changes a store reports at least what was removed; an index that stands further back is filled again. */
export const REMOVALS_KEPT_CHANGES = 100_000_000;

/** What a search index in memory needs from a read view: the terms too rare to be kept, and what changed since. */
export interface TermReader {
  /** Names the store for good: an index saved next to another one is not taken over. */
  readonly storeId: string;
  /** Asset changes this view has seen (see `CommitReceipt.changeSeq`); an index that stands elsewhere must not answer for it. */
  readonly changeSeq: number;
  /**
   * Existing assets that meet one criterion, ascending, without repeats; null when there are more than `limit`.
   * Reads an index of the store, regardless of the criterion, but for `name`, which reads every name.
   */
  listOrdinals(criterion: Criterion, limit: number): MaybePromise<Uint32Array | null>;
  /** Those of `ordinals` (ascending) whose name contains `name`, regardless of the letter case. */
  filterByName(ordinals: Uint32Array, name: string): MaybePromise<Uint32Array>;
  /** Changes after `changeSeq`, in their order; an asset that is gone has `facts: null`. */
  listChanges(changeSeq: number, limit: number): MaybePromise<readonly AssetChange[]>;
  /**
   * As `listChanges`, with no more of each asset than a new index needs. Absent where a store would not be faster for
   * it.
   */
  listBriefChanges?(changeSeq: number, limit: number): MaybePromise<readonly BriefChange[]>;
  /** What the next new asset will be numbered: unfinalized slots lay theirs on top. */
  readonly nextOrdinal: Ordinal;
  /** Facts by asset id, null where there is no asset; same order as asked. */
  readFacts(ids: readonly AddressBytes[]): MaybePromise<readonly (NumberedFacts | null)[]>;
  /** Where existing assets are in the orders; same order as asked. */
  readPositions(ordinals: readonly Ordinal[]): MaybePromise<readonly AssetPosition[]>;
  /** Absent where no one can put the store back beneath those who read it. */
  readonly history?: StoreHistory;
  /** Token accounts of one owner in these mints, empty ones too; nothing where holdings are not indexed. */
  listHoldings(owner: AddressBytes, mints: readonly AddressBytes[]): MaybePromise<readonly Holding[]>;
}

/** By what a view is reported from one of a store that was put back to an earlier time and written on. */
export interface StoreHistory {
  /** Names, at random, the opening for writing that wrote last. */
  readonly writer: string;
  /** Whether what `writer` had written up to `changeSeq` is part of what the view shows. */
  contains(writer: string, changeSeq: number): MaybePromise<boolean>;
}

/** All that sorting looks at. */
export type AssetPosition = Pick<NumberedFacts, "ordinal" | "id" | "createdSlot" | "updatedSlot">;

/** The facts of an asset with its number in the store. */
export type NumberedFacts = AssetFacts & { readonly ordinal: Ordinal };

/** What orders and criteria of few values look at, the same for every asset: the rest is asked for by term. */
export type BriefFacts = Pick<
  AssetFacts,
  | "id"
  | "interface"
  | "ownerModel"
  | "royaltyModel"
  | "compressed"
  | "compressible"
  | "frozen"
  | "burnt"
  | "createdSlot"
  | "updatedSlot"
> & {
  readonly hasVerifiedCreator: boolean;
  readonly hasUnverifiedCreator: boolean;
  /** Exact up to one; null for more, and for none. */
  readonly supply: bigint | null;
};

/** One asset as it stands after a change, in brief. */
export interface BriefChange {
  readonly ordinal: Ordinal;
  readonly facts: BriefFacts | null;
  readonly changeSeq: number;
}

/** One asset as it stands after a change. */
export interface AssetChange {
  readonly ordinal: Ordinal;
  readonly facts: AssetFacts | null;
  readonly changeSeq: number;
}
