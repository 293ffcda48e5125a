import type { LedgerState } from "./index-store.ts";

/** Writes what was derived from the accounts of a bulk load. Pages were encoded by the `BulkEncoder` of the store. */
export interface DerivedWrites {
  /** Compression states; each key once over all calls. */
  insertLedger(ledger: readonly LedgerState[]): Promise<void>;
  /** A `DerivedLinks`, ascending over all calls. */
  insertLinks(page: unknown): Promise<void>;
  /** A `DerivedAssets`, ascending over all calls; none of its assets was there before. */
  insertAssets(page: unknown): Promise<void>;
  /** Everything is written when this is done. */
  close(): Promise<void>;
}

/** Encoded rows, and the memory that moves with them from one thread to another. */
export interface Encoded<Rows = unknown> {
  /** Read only by the store that encoded them. */
  readonly encoded: Rows;
  /** The transfer list of `postMessage`. */
  readonly buffers: readonly ArrayBufferLike[];
}

/** Encoded assets. */
export interface CountedRows {
  /** Number of assets. */
  readonly count: number;
}
