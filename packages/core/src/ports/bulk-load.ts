import type { AccountBatch } from "../domain/account-batch.ts";
import type { Coverage, Watermark } from "../domain/coverage.ts";
import type { DerivedAssets, DerivedLinks } from "./derived-pages.ts";
import type { CountedRows, DerivedWrites, Encoded } from "./derived-writes.ts";

/**
 * Builds a store from empty. It cannot be read before `publish`; a failure before leaves its place as it was, or empty.
 * The order of calls: `insertRows` as often as needed, `finishAccounts`, `openDerived`, `publish`, and always `close`.
 */
export interface BulkLoad {
  /** A folder for temporary files of this load, which exists until `publish`. */
  readonly folder: string;
  /** Module that exports a `BulkEncoder`: loaded by name into the threads that merge and derive. */
  readonly rowEncoderUrl: string;
  /** What the encoder needs to know of the store. It is sent to the threads. */
  readonly encoding: EncodingOptions;
  /**
   * Living accounts that `encodeBatch` encoded. Over all calls, each address comes once, ascending by its signed prefix
   * and then by the rest. The memory may be used again afterwards.
   */
  insertRows(rows: unknown): Promise<void>;
  /** Fills the tables that are derived from accounts alone. Returns the number of accounts. */
  finishAccounts(watermark: Watermark): Promise<number>;
  /** Opens the writer of derived rows. Call it after `finishAccounts`, and close it before `publish`. */
  openDerived(): Promise<DerivedWrites>;
  /** Number of trees with missing changes, by the compression states written so far. */
  countIncompleteTrees(): Promise<number>;
  /**
   * Builds the indexes, checks everything, and opens the store to readers, in one step.
   *
   * @param notes - further entries of the store's key-value table
   * @param meanwhile - called with the URL of the finished store file while it is checked; never called by stores that
   * are no file
   */
  publish(
    coverage: Coverage,
    notes: Readonly<Record<string, string>>,
    onStep: (step: string) => void,
    meanwhile?: (draft: string) => Promise<void>,
  ): Promise<void>;
  /** Removes what was not published, and gives the writer's lock back. */
  close(): Promise<void>;
}

export interface EncodingOptions {
  /** Whether fungible holdings are indexed; default yes. */
  readonly holdings?: boolean;
  /** Number of databases that the rows are split over; default 1. */
  readonly shards?: number;
}

/** Encodes rows for a bulk load. It needs no database, so that several threads can encode. */
export interface BulkEncoder {
  /** Encodes accounts for `insertRows`. */
  encodeBatch(accounts: AccountBatch, count: number, options?: EncodingOptions): Encoded;
  /** Encodes links for `insertLinks`. */
  encodeLinks(page: DerivedLinks, options?: EncodingOptions): Encoded;
  /** Encodes assets for `insertAssets`, with their number. */
  encodeAssets(page: DerivedAssets, options?: EncodingOptions): Encoded<CountedRows>;
}
