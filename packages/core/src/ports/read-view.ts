import type { AddressBytes, Commitment, MaybePromise, Slot } from "../domain/address.ts";
import type { Coverage, TreeCoverage } from "../domain/coverage.ts";
import type { AccountReader } from "./account-reader.ts";
import type { AssetReader, EditionReader, SearchReader } from "./asset-reader.ts";
import type { OnlyRead } from "./only-read.ts";
import type { TermReader } from "./term-reader.ts";

/**
 * One slot for a whole request (or one commitment of a batch): regardless of what is written in the meantime, every read of a view
 * answers from the same slot until `close`.
 */
export interface ReadView {
  readonly slot: Slot;
  readonly accounts: AccountReader;
  readonly assets: AssetReader;
  readonly editions: EditionReader;
  readonly search: SearchReader;
  /** For a search index kept in memory next to the store. */
  readonly terms: TermReader;
  readonly coverage: Coverage;
  /** Trees whose leaves are known to be incomplete, ascending by address bytes; usually empty. A store may report only the first 1000. */
  readonly incompleteTrees: readonly TreeCoverage[];
  /** Whether that tree is one of them, where not all may be listed. Absent = all are. */
  isTreeIncomplete?(tree: AddressBytes): MaybePromise<boolean>;
  /**
   * For a caller that is gone: stops what is being read where that is possible, and every read may fail from then on.
   * Absent where nothing takes long enough to be stopped.
   */
  cancel?(): void;
  /** Gives the view's resources back; a second call does nothing. */
  close(): void;
}

/** What methods read from. */
export interface ViewSource {
  /**
   * A view of the newest slot of that commitment on the chosen fork. A store without a live source has one level.
   * Waits for a free connection up to a named deadline.
   *
   * @param only - all that will be read: the view may hold just that, and throw `MoreReads` for anything else; where it
   * cannot be opened so, this may throw it too
   * @throws LamplightError `STORE__BUSY` past the deadline
   * @throws LamplightError `STORE__LOADING` while nothing can be served yet
   */
  openView(commitment: Commitment, only?: OnlyRead): MaybePromise<ReadView>;
}
