import type { Commitment, Slot } from "../domain/address.ts";
import type { DerivationState } from "../domain/derivation.ts";
import type { Coverage, TreeCoverage } from "../domain/coverage.ts";
import type { IndexReader } from "./index-store.ts";
import type { AnswerTo, Read, ReadKind, ReadOf } from "./reads.ts";
import type { TermReader } from "./term-reader.ts";

/** A value, or a promise of it: reads cost no promise where the answer is there at once. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Goes on with a value at once when it is there, else when its promise is fulfilled. A view of a store in this process
 * answers at once, and an `await` would still cost a promise and a turn per read.
 */
export const whenReady = <Value, Result>(
  value: MaybePromise<Value>,
  goOn: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(goOn) : goOn(value));

/**
 * One state of the chain for a whole request, or for one commitment of a batch. Every read answers from the same slot
 * until `close`; later writes do not change it.
 */
export interface ReadView {
  /** The slot of every answer of this view. */
  readonly slot: Slot;
  /** The accounts and trees that the store holds. */
  readonly coverage: Coverage;
  /** Trees with missing leaves, ascending by address bytes; usually none. A store may list only the first 1000. */
  readonly incompleteTrees: readonly TreeCoverage[];
  /** The rules behind the assets of this slot. Absent in a store that does not note them. */
  readonly derivation?: DerivationState | undefined;
  /** Serves a search index that is kept in memory next to the store. */
  readonly terms: TermReader;
  /** Rows of this slot as the indexer reads them, for checks. Only a view of a store alone that holds one snapshot has them. */
  readonly index?: IndexReader | undefined;
  /**
   * Answers one read: at once where the store need not wait. Reads that are asked for together go to the store together.
   *
   * @throws LamplightError of the STORE, QUERY or PARAM family
   * @throws NeedsSnapshot see `Opening`
   */
  read<Kind extends ReadKind>(asked: ReadOf<Kind>): MaybePromise<AnswerTo<Kind>>;
  /**
   * Stops running reads where that is possible, because the caller has disconnected. Every later read may fail.
   * Absent where no read takes long enough.
   */
  cancel?(): void;
  /** Releases the connection of the view; a second call does nothing. */
  close(): void;
}

/**
 * The first reads of a call. A store may answer this while it opens a view, and hold no snapshot: then later reads
 * throw `NeedsSnapshot` once the store was written.
 */
export interface Opening {
  /** One round. The view recognizes each of these objects. */
  readonly reads: readonly Read[];
  /** Set by a store while it answers, for a caller that leaves; else null. */
  stop: (() => void) | null;
}

/** The source of the views from which methods read. */
export interface ViewSource {
  /**
   * A view of the newest slot of that commitment on the chosen fork. All commitments are the finalized one if no live
   * source runs. Waits for a free connection, up to the deadline of the store.
   *
   * @param opening - absent: the view holds a snapshot
   * @throws LamplightError `STORE__BUSY` past the deadline
   * @throws LamplightError `STORE__LOADING` while nothing can be served yet
   */
  openView(commitment: Commitment, opening?: Opening): MaybePromise<ReadView>;
}

/** The functions by which views of one class answer each kind of read. A kind without an entry is a compile error. */
export type ReadHandlers<View> = {
  readonly [Kind in ReadKind]: (view: View, asked: ReadOf<Kind>) => MaybePromise<AnswerTo<Kind>>;
};
