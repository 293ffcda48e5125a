import type { AddressBytes, MaybePromise, Slot } from "../domain/address.ts";
import type { Asset, Ordinal } from "../domain/asset.ts";
import type { Coverage, Watermark } from "../domain/coverage.ts";
import type { Edition } from "../domain/edition.ts";
import type { AccountState, LedgerState, Link } from "./index-store.ts";
import type { OffchainRow } from "./offchain-store.ts";

/** An asset with its numbers in a store: readers see both, so a copy keeps them. */
export interface NumberedAsset extends Asset {
  readonly ordinal: Ordinal;
  readonly changeSeq: number;
}

/** Everything that a store holds in addition to its head and what follows from these rows. */
export interface StoreRows {
  /** Living accounts, tombstones and last lives, ascending by signed prefix, then by the rest. */
  readonly accounts: AccountState;
  readonly links: Link;
  readonly ledger: LedgerState;
  readonly assetsSeen: { readonly id: AddressBytes; readonly slot: Slot };
  readonly editions: Edition;
  /** Ascending by ordinal. */
  readonly assets: NumberedAsset;
  readonly assetsRemoved: { readonly ordinal: Ordinal; readonly changeSeq: number };
  readonly documents: OffchainRow;
}

export type StoreTable = keyof StoreRows;

export const storeTables: readonly StoreTable[] = [
  "accounts",
  "links",
  "ledger",
  "assetsSeen",
  "editions",
  "assets",
  "assetsRemoved",
  "documents",
];

/** What a store says of itself as a whole. */
export interface StoreHead {
  /** Null where nothing was ever indexed: such a store is not served. */
  readonly watermark: Watermark | null;
  readonly changeSeq: number;
  readonly nextOrdinal: Ordinal;
  readonly coverage: Coverage;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
  /** Entries kept next to the rows, such as the receipt of a load; large numbers as decimal text. */
  readonly notes: Readonly<Record<string, string>>;
}

/** A whole store at one moment, regardless of what is written in the meantime, for another one to take over. */
export interface StoreExport {
  readonly head: StoreHead;
  /**
   * All rows of a table in the order of their keys, in pages; each row once.
   *
   * @throws LamplightError of the STORE family
   */
  pages<Table extends StoreTable>(
    table: Table,
  ): Iterable<readonly StoreRows[Table][]> | AsyncIterable<readonly StoreRows[Table][]>;
  close(): MaybePromise<void>;
}

/**
 * A store made of the rows of another one. Until `finish` is done it is served to no one, and taken up by no writer;
 * `close` before that leaves its place as it was, or empty for the next attempt.
 */
export interface StoreImport {
  /** Rows as `pages` reports them: tables in the order of `storeTables`, pages in theirs. */
  write<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): MaybePromise<void>;
  /** Builds what follows from the rows, checks it, and lets the store be served, in one step. */
  finish(head: StoreHead, onStep: (step: string) => void): MaybePromise<void>;
  close(): MaybePromise<void>;
}
