import {
  type AddressBytes,
  type Coverage,
  type DerivationState,
  derivationStateOf,
  DERIVATION,
  DERIVATION_KEY,
  NEXT_DERIVATION_KEY,
  ROWS_FORMAT_KEY,
  type StoredAsset,
  type TreeCoverage,
  treeOf,
  decodeCoverage,
  decodeHeadRow,
  decodeTreeCoverage,
  headColumns,
  type HeadRow,
  holdersKey,
  INCOMPLETE_TREES_LISTED_MAX,
  treeCoverageColumns,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import type { TreeTops } from "./tree-tops.ts";

/** The one row that every commit moves. */
export interface Head extends HeadRow {
  /** The last opening for writing. */
  readonly writerEpoch: number;
}

const readStatement = statement(`SELECT ${headColumns}, writer_epoch FROM head WHERE id = 1`);

export const readHead = async (db: Statements): Promise<Head> => {
  const row = await db.get(readStatement);
  return { ...decodeHeadRow(row, db.store), writerEpoch: Number(row?.at(-1)) };
};

/** The members of the head that a view reads at its opening; `slot` is null until the first watermark. */
export type ViewHead = Pick<Head, "slot" | "changeSeq" | "settingsRevision" | "nextOrdinal"> & {
  /** Names the opening for writing that wrote last. */
  readonly writer: string;
  /**
   * Number of the last change of what documents add to assets. Null without a transaction: cached items, which documents
   * may change, are read in one only.
   */
  readonly contentSeq: number | null;
};

/** Columns of `head` as `viewHeadOf` reads them, and how many they are. */
export const viewHeadColumns =
  "head.slot, head.change_seq, head.settings_revision, head.next_ordinal, head.writer_id";
export const VIEW_HEAD_WIDTH = 5;

/** Columns of a table in a statement that reads several. */
export const qualified = (table: string, columns: string): string =>
  columns
    .split(", ")
    .map((column) => `${table}.${column}`)
    .join(", ");

/** What a reader knows of a store before it asks. */
export interface KnownBefore {
  readonly programs: ProgramDictionary;
  /** Whether assets take anything from off-chain documents, as far as known. */
  readonly hasContents: boolean;
  readonly treeTops: TreeTops;
}

/**
 * An answer with the head. One statement brings both, which is one snapshot by itself: each database of a distributed
 * store would take its own.
 */
export interface FoundWithHead<Answer> {
  readonly head: ViewHead;
  /**
   * Null where another statement is needed. The answer is in an object, since it can be null itself.
   *
   * @param known - what holds at this head
   */
  readonly answerAt: (known: {
    readonly settings: StoreSettings;
    readonly programs: ProgramDictionary;
  }) => { readonly value: Answer } | null;
}

export const snapshotHeadSql = `SELECT ${viewHeadColumns}, head.content_seq FROM head WHERE id = 1`;

/** The first statement of a view with a transaction: the snapshot is taken by this read. */
export const beginView = async (db: Statements): Promise<ViewHead> => {
  const [row] = await db.begin(snapshotHeadSql);
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
  contentSeq: null,
});

/** Whether both are of one state. Documents belong to no slot, and may change in between. */
export const isSameState = (one: ViewHead, other: ViewHead): boolean =>
  one.slot === other.slot &&
  one.changeSeq === other.changeSeq &&
  one.nextOrdinal === other.nextOrdinal &&
  one.settingsRevision === other.settingsRevision &&
  one.writer === other.writer;

/** Settings that change rarely and that every view reads. */
export interface StoreSettings {
  readonly coverage: Coverage;
  /** Random, given when the store was made. */
  readonly storeId: string;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
  /** Whether the token accounts of each mint are indexed. */
  readonly holders: boolean;
  readonly incompleteTrees: readonly TreeCoverage[];
  readonly derivation: DerivationState;
  /** Whether any off-chain document adds to an asset: else nothing is asked for them. */
  readonly hasContents: boolean;
}

/** The tree of an asset where it has missing leaves; undefined where not all such trees are listed, and this one is not. */
export const incompleteTreeOf = (
  own: StoredAsset,
  { incompleteTrees }: StoreSettings,
): string | null | undefined => {
  if (incompleteTrees.length === 0) return null;
  const tree = treeOf(own);
  if (tree === null || incompleteTrees.some((incomplete) => incomplete.tree === tree)) return tree;
  return incompleteTrees.length < INCOMPLETE_TREES_LISTED_MAX ? null : undefined;
};

const listTrees = statement(`SELECT ${treeCoverageColumns} FROM incomplete_tree ORDER BY tree LIMIT $1`);
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
    coverage: decodeCoverage(coverage),
    storeId: meta.get("store_id") as string,
    incompleteTrees: trees.map(decodeTreeCoverage),
    holdings: meta.get("holdings") !== "off",
    holders: meta.get(holdersKey) === "on",
    derivation: derivationStateOf((key) => meta.get(key)),
    hasContents: isShowing,
  };
};

/** Entries of `meta` that are exported separately, or belong to this store only. */
const ownKeys = [
  "coverage",
  "holdings",
  holdersKey,
  "store_id",
  "schema_version",
  "documents_epoch",
  ROWS_FORMAT_KEY,
  NEXT_DERIVATION_KEY,
];

/** A store that is made here has the rules of this version anyway. */
const isThisVersion = (key: string, value: string): boolean =>
  key === DERIVATION_KEY && value === String(DERIVATION);

/** Entries that a load stores next to the rows. */
export const readNotes = async (db: Statements): Promise<Readonly<Record<string, string>>> => {
  const pairs = (await db.all(listMeta)) as readonly (readonly [string, string])[];
  return Object.fromEntries(
    pairs.filter(([key, value]) => !ownKeys.includes(key) && !isThisVersion(key, value)),
  );
};
