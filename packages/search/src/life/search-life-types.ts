import type { ReadView, ViewSource } from "@lamplight/core";
import type { MemoryReport, SearchIndex } from "../search-index.ts";
import type { SharedIndex } from "../share-index.ts";

export interface SearchLifeOptions {
  readonly viewSource: ViewSource;
  /** Where the index is saved between runs; null = nowhere. */
  readonly file: string | null;
  /** An index that another thread fills for several; resolves to null where it could not. Default: none does. */
  readonly shared?: Promise<SharedIndex | null>;
  /** This thread's share of the memory for terms, where several threads keep some; default: all of it. */
  readonly termsShare?: number;
  /** Share is 0 to 1. Called after each page of the first fill. */
  readonly onProgress?: (progress: { readonly assets: number; readonly share: number }) => void;
  /** A failed look or save: logged by the caller, tried again. The same failure in a row is reported once. */
  readonly onError?: (error: unknown) => void;
  /**
   * Called once, when the index cannot continue: the store was restored, or replaced, or is too far ahead.
   * Nothing is answered from memory from then on.
   */
  readonly onForeign?: () => void;
  /** Most changes of a store whose own SQL may answer in the index's place. */
  readonly sqlChangesMax?: number;
  readonly signal?: AbortSignal;
}

/** The state of the index, for probes and metrics. */
export interface SearchStatus extends MemoryReport {
  /** Until the first fill is done the store's own search answers, where it is small enough. */
  readonly isFilling: boolean;
  /** Whether a search is refused at the moment: the index cannot answer it, and the store is too large for SQL. */
  readonly isRefused: boolean;
  /** Changes taken in, in the store's counting. */
  readonly changeSeq: number;
}

/** The search index over one store: filled, kept in sync, saved now and then. */
export interface SearchLife {
  /** The store's views, with search answered from memory once the index stands where the view does. */
  readonly viewSource: ViewSource;
  /** Wraps a view that is already open. */
  over(view: ReadView): ReadView;
  readonly index: SearchIndex;
  /** Resolves when the first fill is done: to false when it was stopped before. Failed ones are tried again. */
  readonly filled: Promise<boolean>;
  /**
   * Takes in what was committed since; for a writer in the same process, in the same turn where the store is synchronous.
   * Never rejects: what fails is reported to `onError`, and tried again by the next look.
   */
  catchUp(): Promise<void>;
  status(): SearchStatus;
  /** For other threads, once this one is closed; null where it does not be at one state of the store. */
  share(): SharedIndex | null;
  /** Stops following, and saves. */
  close(): Promise<void>;
}
