import { encodeAddress } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import type { AddressBytes, Slot } from "../domain/address.ts";
import type { Coverage, TreeCoverage } from "../domain/coverage.ts";
import { u64FromColumn } from "./u64-column.ts";

/** The one row that every commit moves. */
export interface HeadRow {
  /** Null until the first watermark. */
  readonly slot: Slot | null;
  readonly blockhash: string | null;
  readonly changeSeq: number;
  readonly nextOrdinal: number;
  /** Changes whenever data that every view reads does. */
  readonly settingsRevision: number;
  /** Accounts from this (lamports, address) on are in `top_account`. */
  readonly floorLamports: bigint;
  readonly floorAddress: AddressBytes;
  /** Rows of `top_account` and `stake_hold`. */
  readonly topAccounts: number;
  readonly nonCirculatingStakes: number;
}

export const headColumns =
  "slot, blockhash, change_seq, next_ordinal, settings_revision, floor_lamports, floor_address, top_accounts, stake_holds";

/**
 * Decodes a row that begins with `headColumns`.
 *
 * @throws LamplightError `STORE__CORRUPT` where there is no row
 */
export const decodeHeadRow = (row: readonly unknown[] | undefined, store: string): HeadRow => {
  if (row === undefined) throw new LamplightError("STORE__CORRUPT", { store, reason: "it has no head row" });
  return {
    slot: row[0] === null ? null : Number(row[0]),
    blockhash: row[1] as string | null,
    changeSeq: Number(row[2]),
    nextOrdinal: Number(row[3]),
    settingsRevision: Number(row[4]),
    floorLamports: u64FromColumn(row[5] as bigint),
    floorAddress: row[6] as Uint8Array,
    topAccounts: Number(row[7]),
    nonCirculatingStakes: Number(row[8]),
  };
};

/** Incomplete trees reported to a view; a store with more reports the first by address. */
export const INCOMPLETE_TREES_LISTED_MAX = 1000;

export const treeCoverageColumns = "tree, complete_through_seq, highest_seq, account_seq";

export const decodeTreeCoverage = ([tree, complete, highest, account]: readonly unknown[]): TreeCoverage => ({
  tree: encodeAddress(tree as Uint8Array),
  completeThroughSeq: Number(complete),
  highestSeq: Number(highest),
  accountSeq: account === null ? null : Number(account),
});

/** The coverage as `meta` has it. A new store has none: it is empty, and records that. */
export const decodeCoverage = (text: string | undefined): Coverage =>
  text === undefined
    ? { kind: "filtered", programs: [], owners: [], mints: [], collections: [] }
    : (JSON.parse(text) as Coverage);
