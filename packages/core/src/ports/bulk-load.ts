import type { AccountBatch } from "../domain/account-batch.ts";
import type { MaybePromise } from "../domain/address.ts";
import type { Coverage, Watermark } from "../domain/coverage.ts";
import type { DerivedAssets, DerivedLinks } from "./derived-pages.ts";
import type { CountedRows, DerivedWrites, Encoded } from "./derived-writes.ts";

/**
 * A store built from empty that no one is served from before `publish`; anything that happens before leaves its place as
 * it was, or empty. Steps in this order: accounts as often as needed, `finishAccounts`, what is derived from them,
 * then `publish`; `close` in any case.
 */
export interface BulkLoad {
  /** A folder for anything that belongs to this load; stays until `publish`. */
  readonly folder: string;
  /** Module that exports a `BulkEncoder`: loaded by name into the threads that merge and derive. */
  readonly rowEncoderUrl: string;
  /** Whether the encoder has to report fungible holdings; absent = yes. */
  readonly holdings?: boolean;
  /**
   * Living accounts, each address once, ascending by signed prefix, then by the rest, over all calls; as `encodeBatch`
   * made them. They may be used again once this is done.
   */
  insertRows(rows: unknown): MaybePromise<void>;
  /** Fills what follows from the accounts. Answers their number. */
  finishAccounts(watermark: Watermark): MaybePromise<number>;
  /** Takes what is derived from the accounts. After `finishAccounts`; to be closed before `publish`. */
  openDerived(): MaybePromise<DerivedWrites>;
  /** Trees of which changes are missing, as the ledger says so far. */
  countIncompleteTrees(): MaybePromise<number>;
  /**
   * Builds the indexes, checks what there is, and lets it be served, in one step.
   *
   * @param notes - further entries of the store's key-value table
   * @param meanwhile - called with the file of a finished draft while it is checked; by stores that are no file, never
   */
  publish(
    coverage: Coverage,
    notes: Readonly<Record<string, string>>,
    onStep: (step: string) => void,
    meanwhile?: (file: string) => Promise<void>,
  ): MaybePromise<void>;
  /** Removes the draft unless it was published, and gives the writer's lock back. */
  close(): MaybePromise<void>;
}

/** Turns what comes into what is inserted: all the work that does not need the database, so that threads can do it. */
export interface BulkEncoder {
  /** For `insertRows`. */
  encodeBatch(accounts: AccountBatch, count: number, holdings?: boolean): Encoded;
  /** For `insertLinks` and `insertAssets`. */
  encodeLinks(page: DerivedLinks): Encoded;
  encodeAssets(page: DerivedAssets): Encoded<CountedRows>;
}
