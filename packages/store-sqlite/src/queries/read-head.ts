import {
  type AddressBytes,
  type Coverage,
  type DerivationState,
  derivationStateOf,
  type Slot,
  type TreeCoverage,
  u64FromColumn,
} from "@lamplight/core";
import { encodeAddress } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import type { Connection, Row } from "../engine/connection.ts";

/** The one row that every commit moves. */
export interface Head {
  /** Null until the first watermark. */
  readonly slot: Slot | null;
  readonly blockhash: string | null;
  readonly changeSeq: number;
  readonly nextOrdinal: number;
  /** Changes whenever `meta` does. */
  readonly settingsRevision: number;
  /** Accounts from this (lamports, address) on are in `top_account`. */
  readonly floorLamports: bigint;
  readonly floorAddress: AddressBytes;
  /** Rows of `top_account` and `stake_hold`. */
  readonly topAccounts: number;
  readonly nonCirculatingStakes: number;
}

export const prepareReadHead = (connection: Connection): (() => Head) => {
  const statement = connection.prepare(
    "SELECT slot, blockhash, change_seq, next_ordinal, settings_revision, floor_lamports, floor_address, top_accounts, stake_holds FROM head WHERE id = 1",
  );
  return () => {
    const row = statement.get();
    if (row === undefined)
      throw new LamplightError("STORE__CORRUPT", { store: connection.file, reason: "it has no head row" });
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
};

/** The members of the head that a view reads at its opening; `slot` is null until the first watermark. */
export type ViewHead = Pick<Head, "slot" | "changeSeq" | "settingsRevision" | "nextOrdinal">;

export const prepareReadViewHead = (connection: Connection): (() => ViewHead) => {
  const statement = connection.prepareSmall(
    "SELECT slot, change_seq, settings_revision, next_ordinal FROM head WHERE id = 1",
  );
  return () => {
    const row = statement.get();
    return {
      slot: row === undefined || row[0] === null ? null : Number(row[0]),
      changeSeq: Number(row?.[1] ?? 0),
      settingsRevision: Number(row?.[2] ?? 0),
      nextOrdinal: Number(row?.[3] ?? 0),
    };
  };
};

/** Settings that change rarely and that every view reads. */
export interface StoreSettings {
  readonly coverage: Coverage;
  /** Random, given when the file was made. */
  readonly storeId: string;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
  readonly incompleteTrees: readonly TreeCoverage[];
  readonly derivation: DerivationState;
}

/** A new store is empty, and records that. */
const nothingCovered: Coverage = { kind: "filtered", programs: [], owners: [], mints: [], collections: [] };

/** Incomplete trees reported to a view; a store with more reports the first by address. */
const INCOMPLETE_TREES_LISTED_MAX = 1000;

export const prepareReadSettings = (connection: Connection): (() => StoreSettings) => {
  const trees = connection.prepare(
    "SELECT tree, complete_through_seq, highest_seq, account_seq FROM incomplete_tree ORDER BY tree LIMIT ?",
  );
  const statement = connection.prepare("SELECT value FROM meta WHERE key = ?");
  return () => {
    const coverage = statement.get("coverage")?.[0] as string | undefined;
    return {
      coverage: coverage === undefined ? nothingCovered : (JSON.parse(coverage) as Coverage),
      storeId: statement.get("store_id")?.[0] as string,
      incompleteTrees: trees.all(INCOMPLETE_TREES_LISTED_MAX).map(treeCoverage),
      holdings: statement.get("holdings")?.[0] !== "off",
      derivation: derivationStateOf((key) => statement.get(key)?.[0] as string | undefined),
    };
  };
};

export const prepareIsTreeIncomplete = (connection: Connection): ((tree: AddressBytes) => boolean) => {
  const statement = connection.prepareSmall("SELECT 1 FROM incomplete_tree WHERE tree = ?");
  return (tree) => statement.get(tree) !== undefined;
};

const treeCoverage = (row: Row): TreeCoverage => ({
  tree: encodeAddress(row[0] as Uint8Array),
  completeThroughSeq: Number(row[1]),
  highestSeq: Number(row[2]),
  accountSeq: row[3] === null ? null : Number(row[3]),
});
