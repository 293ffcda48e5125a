import type { AddressBytes, Slot } from "../domain/address.ts";
import type { Asset, Ordinal } from "../domain/asset.ts";
import type { Coverage, Watermark } from "../domain/coverage.ts";
import type { Edition } from "../domain/edition.ts";
import type { AccountState, LedgerState, Link } from "./index-store.ts";
import type { OffchainRow } from "./offchain-store.ts";

/** An asset with its numbers in a store. Readers see both, so a copy keeps them. */
export interface NumberedAsset extends Asset {
  /** Number that the asset has kept since it was inserted. */
  readonly ordinal: Ordinal;
  /** Change counter of its last change. */
  readonly changeSeq: number;
}

/** One row of each table that a copy carries. Other tables are derived from them, and the head is separate. */
export interface StoreRows {
  /** Living accounts, tombstones and last lives, ascending by signed prefix, then by the rest. */
  readonly accounts: AccountState;
  /** Ascending by target, role and source. */
  readonly links: Link;
  /** Compression states of leaves and trees. */
  readonly ledger: LedgerState;
  /** Lowest slot in which an id was seen, also where there is no asset yet. */
  readonly assetsSeen: { readonly id: AddressBytes; readonly slot: Slot };
  /** Prints, by edition address. */
  readonly editions: Edition;
  /** Ascending by ordinal. */
  readonly assets: NumberedAsset;
  /** Numbers of assets that exist no longer. */
  readonly assetsRemoved: { readonly ordinal: Ordinal; readonly changeSeq: number };
  /** Off-chain documents, by URI. */
  readonly documents: OffchainRow;
}

/** Name of such a table. */
export type StoreTable = keyof StoreRows;

/** The tables in the order in which a copy carries them. */
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

/** The facts of a store as a whole. */
export interface StoreHead {
  /** Null where nothing was indexed; such a store is not served. */
  readonly watermark: Watermark | null;
  /** Change counter of the newest change. */
  readonly changeSeq: number;
  /** Number of the next new asset. */
  readonly nextOrdinal: Ordinal;
  /** The accounts and trees that the store holds. */
  readonly coverage: Coverage;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
  /** Whether the token accounts of each mint are indexed. A copy is made without them; `HolderIndex` adds them. */
  readonly holders: boolean;
  /** Entries kept next to the rows, such as the receipt of a load; large numbers as decimal text. */
  readonly notes: Readonly<Record<string, string>>;
}

/** A whole store at one moment, for a copy. Later writes do not change it. */
export interface StoreExport {
  /** Numbers and settings of that moment. */
  readonly head: StoreHead;
  /**
   * All rows of a table in the order of their keys, in pages; each row once.
   *
   * @throws LamplightError of the STORE family
   */
  pages<Table extends StoreTable>(
    table: Table,
  ): Iterable<readonly StoreRows[Table][]> | AsyncIterable<readonly StoreRows[Table][]>;
  /** Ends the view of that moment. */
  close(): Promise<void>;
}

/**
 * A store that is made of the rows of another one. Readers and writers refuse it until `finish` is done. After `close`
 * without `finish`, its place is as before, or empty for the next attempt.
 */
export interface StoreImport {
  /** Rows as `pages` reports them: tables in the order of `storeTables`, pages in theirs. */
  write<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): Promise<void>;
  /** Derives the other tables, checks everything, and opens the store to readers, in one step. */
  finish(head: StoreHead, onStep: (step: string) => void): Promise<void>;
  /** Without `finish`: removes what was written. */
  close(): Promise<void>;
}
