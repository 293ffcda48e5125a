import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  type Coverage,
  type DerivationState,
  derivationStateOf,
  type FoundAsset,
  NEXT_DERIVATION_KEY,
  ROWS_FORMAT_KEY,
  type Slot,
  type TreeCoverage,
  treeOf,
  u64FromColumn,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

/** The one row that every commit moves. */
export interface Head {
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
  /** The last opening for writing. */
  readonly writerEpoch: number;
}

const readStatement = statement(`SELECT slot, blockhash, change_seq, next_ordinal, settings_revision,
floor_lamports, floor_address, top_accounts, stake_holds, writer_epoch FROM head WHERE id = 1`);

export const readHead = async (db: Statements): Promise<Head> => {
  const row = await db.get(readStatement);
  if (row === undefined)
    throw new LamplightError("STORE__CORRUPT", { store: db.store, reason: "it has no head row" });
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
    writerEpoch: Number(row[9]),
  };
};

/** The members of the head that a view reads at its opening; `slot` is null until the first watermark. */
export type ViewHead = Pick<Head, "slot" | "changeSeq" | "settingsRevision" | "nextOrdinal"> & {
  /** Names the opening for writing that wrote last. */
  readonly writer: string;
};

/** Columns of `head` as `viewHeadOf` reads them, and how many they are. */
export const viewHeadColumns =
  "head.slot, head.change_seq, head.settings_revision, head.next_ordinal, head.writer_id";
export const VIEW_HEAD_WIDTH = 5;

/** The first statement of a view: the snapshot is taken by this read. */
export const firstHeadSql = `SELECT ${viewHeadColumns}, head.content_seq FROM head WHERE id = 1`;

/** The head of a view that reads more than once. */
export type OpenedHead = ViewHead & {
  /** Number of the last change of what documents add to assets. */
  readonly contentSeq: number;
};

export const beginView = async (db: Statements): Promise<OpenedHead> => {
  const [row] = await db.begin(firstHeadSql);
  return { ...viewHeadOf(row), contentSeq: Number(row?.[VIEW_HEAD_WIDTH] ?? 0) };
};

const viewHeadStatement = statement(`SELECT ${viewHeadColumns} FROM head WHERE id = 1`);

/** The head by itself, behind what was read without a transaction. */
export const readViewHead = async (db: Statements): Promise<ViewHead> =>
  viewHeadOf(await db.get(viewHeadStatement));

/** Decodes a row that begins with `viewHeadColumns`. */
export const viewHeadOf = (row: Row | undefined): ViewHead => ({
  slot: row === undefined || row[0] === null ? null : Number(row[0]),
  changeSeq: Number(row?.[1] ?? 0),
  settingsRevision: Number(row?.[2] ?? 0),
  nextOrdinal: Number(row?.[3] ?? 0),
  writer: (row?.[4] ?? "") as string,
});

/** Settings that change rarely and that every view reads. */
export interface StoreSettings {
  readonly coverage: Coverage;
  /** Random, given when the store was made. */
  readonly storeId: string;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
  readonly incompleteTrees: readonly TreeCoverage[];
  readonly derivation: DerivationState;
  /** Whether any off-chain document adds to an asset: else nothing is asked for them. */
  readonly hasContents: boolean;
}

/** A new store is empty, and records that. */
const nothingCovered: Coverage = { kind: "filtered", programs: [], owners: [], mints: [], collections: [] };

/** Incomplete trees reported to a view; a store with more reports the first by address. */
const INCOMPLETE_TREES_LISTED_MAX = 1000;

/** Whether the tree of an asset has missing leaves; undefined where not all such trees are listed, and this one is not. */
export const isItsTreeIncomplete = (
  own: FoundAsset,
  { incompleteTrees }: StoreSettings,
): boolean | undefined => {
  if (incompleteTrees.length === 0) return false;
  const tree = treeOf(own);
  if (tree === null) return false;
  if (incompleteTrees.some((incomplete) => incomplete.tree === tree)) return true;
  return incompleteTrees.length < INCOMPLETE_TREES_LISTED_MAX ? false : undefined;
};

const listTrees = statement(
  "SELECT tree, complete_through_seq, highest_seq, account_seq FROM incomplete_tree ORDER BY tree LIMIT $1",
);
const findTree = statement("SELECT 1 FROM incomplete_tree WHERE tree = $1");
const findContent = statement("SELECT 1 FROM offchain WHERE content IS NOT NULL LIMIT 1");
const listMeta = statement("SELECT key, value FROM meta");

export const isTreeIncomplete = async (db: Statements, tree: AddressBytes): Promise<boolean> =>
  (await db.all(findTree, tree)).length > 0;

export const hasContents = async (db: Statements): Promise<boolean> => (await db.all(findContent)).length > 0;

export const readSettings = async (db: Statements): Promise<StoreSettings> => {
  const [pairs, trees, isShowing] = await Promise.all([
    db.all(listMeta),
    db.all(listTrees, INCOMPLETE_TREES_LISTED_MAX),
    hasContents(db),
  ]);
  const meta = new Map(pairs.map(([key, value]) => [key as string, value as string]));
  const coverage = meta.get("coverage");
  return {
    coverage: coverage === undefined ? nothingCovered : (JSON.parse(coverage) as Coverage),
    storeId: meta.get("store_id") as string,
    incompleteTrees: trees.map(treeCoverage),
    holdings: meta.get("holdings") !== "off",
    derivation: derivationStateOf((key) => meta.get(key)),
    hasContents: isShowing,
  };
};

/** Entries of `meta` that are exported separately, or belong to this store only. */
const ownKeys = [
  "coverage",
  "holdings",
  "store_id",
  "schema_version",
  "documents_epoch",
  ROWS_FORMAT_KEY,
  NEXT_DERIVATION_KEY,
];

/** Entries that a load stores next to the rows. */
export const readNotes = async (db: Statements): Promise<Readonly<Record<string, string>>> => {
  const pairs = (await db.all(listMeta)) as readonly (readonly [string, string])[];
  return Object.fromEntries(pairs.filter(([key]) => !ownKeys.includes(key)));
};

const treeCoverage = (row: Row): TreeCoverage => ({
  tree: encodeAddress(row[0] as Uint8Array),
  completeThroughSeq: Number(row[1]),
  highestSeq: Number(row[2]),
  accountSeq: row[3] === null ? null : Number(row[3]),
});
