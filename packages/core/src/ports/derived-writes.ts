import type { MaybePromise } from "../domain/address.ts";
import type { LedgerState } from "./index-store.ts";

/** What a bulk load takes of what was derived from its accounts. Pages come encoded by the module of its encoder. */
export interface DerivedWrites {
  insertLedger(ledger: readonly LedgerState[]): MaybePromise<void>;
  /** A `DerivedLinks`, ascending over all calls. */
  insertLinks(page: unknown): MaybePromise<void>;
  /** A `DerivedAssets`, ascending over all calls; none of its assets was there before. */
  insertAssets(page: unknown): MaybePromise<void>;
  /** Everything is written when this is done. */
  close(): MaybePromise<void>;
}

/** What comes out of an encoder, and the memory to hand over with it from one thread to another. */
export interface Encoded<Rows = unknown> {
  readonly encoded: Rows;
  readonly buffers: readonly ArrayBufferLike[];
}

/** Anything that else it holds. */
export interface CountedRows {
  /** Of assets. */
  readonly count: number;
}
