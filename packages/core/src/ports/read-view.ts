import type { AddressBytes, Commitment, MaybePromise, Slot } from "../domain/address.ts";
import type { Coverage, TreeCoverage } from "../domain/coverage.ts";
import type { AccountReader } from "./account-reader.ts";
import type { AssetReader, EditionReader, SearchReader } from "./asset-reader.ts";
import type { IndexReader } from "./index-store.ts";
import type { OnlyRead } from "./only-read.ts";
import type { TermReader } from "./term-reader.ts";

/**
 * One state of the chain for a whole request, or for one commitment of a batch. Every read answers from the same slot
 * until `close`; later writes do not change it.
 */
export interface ReadView {
  /** The slot of every answer of this view. */
  readonly slot: Slot;
  /** Accounts at this slot. */
  readonly accounts: AccountReader;
  /** Stored parts of assets at this slot. */
  readonly assets: AssetReader;
  /** Prints of master editions at this slot. */
  readonly editions: EditionReader;
  /** Searches at this slot. */
  readonly search: SearchReader;
  /** For a search index kept in memory next to the store. */
  readonly terms: TermReader;
  /** Rows of this slot as the indexer reads them, for checks. Absent in a view that is not of a store alone. */
  readonly index?: IndexReader;
  /** Which accounts and trees the store holds. */
  readonly coverage: Coverage;
  /** Trees with missing leaves, ascending by address bytes; usually none. A store may list only the first 1000. */
  readonly incompleteTrees: readonly TreeCoverage[];
  /** Whether a tree has missing leaves, where `incompleteTrees` may not list all. Absent where it does. */
  isTreeIncomplete?(tree: AddressBytes): MaybePromise<boolean>;
  /**
   * Stops running reads where that is possible, because the caller has disconnected. Every later read may fail.
   * Absent where no read takes long enough.
   */
  cancel?(): void;
  /** Releases the connection of the view; a second call does nothing. */
  close(): void;
}

/** What methods read from. */
export interface ViewSource {
  /**
   * A view of the newest slot of that commitment on the chosen fork. Without a live source all commitments are the
   * finalized one. Waits for a free connection, up to the deadline of the store.
   *
   * @param only - everything that will be read. The view may hold just that, and throw `MoreReads` for other reads; so
   * may this call
   * @throws LamplightError `STORE__BUSY` past the deadline
   * @throws LamplightError `STORE__LOADING` while nothing can be served yet
   */
  openView(commitment: Commitment, only?: OnlyRead): MaybePromise<ReadView>;
}
