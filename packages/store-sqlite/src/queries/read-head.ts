import {
  type AddressBytes,
  type Coverage,
  type DerivationState,
  derivationStateOf,
  type TreeCoverage,
  decodeCoverage,
  decodeHeadRow,
  decodeTreeCoverage,
  headColumns,
  type HeadRow,
  holdersKey,
  INCOMPLETE_TREES_LISTED_MAX,
  treeCoverageColumns,
} from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const prepareReadHead = (connection: Connection): (() => HeadRow) => {
  const statement = connection.prepare(`SELECT ${headColumns} FROM head WHERE id = 1`);
  return () => decodeHeadRow(statement.get(), connection.file);
};

/** The members of the head that a view reads at its opening; `slot` is null until the first watermark. */
export type ViewHead = Pick<HeadRow, "slot" | "changeSeq" | "settingsRevision" | "nextOrdinal">;

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
  /** Whether the token accounts of each mint are indexed. */
  readonly holders: boolean;
  readonly incompleteTrees: readonly TreeCoverage[];
  readonly derivation: DerivationState;
}

export const prepareReadSettings = (connection: Connection): (() => StoreSettings) => {
  const trees = connection.prepare(
    `SELECT ${treeCoverageColumns} FROM incomplete_tree ORDER BY tree LIMIT ?`,
  );
  const statement = connection.prepare("SELECT value FROM meta WHERE key = ?");
  return () => {
    const coverage = statement.get("coverage")?.[0] as string | undefined;
    return {
      coverage: decodeCoverage(coverage),
      storeId: statement.get("store_id")?.[0] as string,
      incompleteTrees: trees.all(INCOMPLETE_TREES_LISTED_MAX).map(decodeTreeCoverage),
      holdings: statement.get("holdings")?.[0] !== "off",
      holders: statement.get(holdersKey)?.[0] === "on",
      derivation: derivationStateOf((key) => statement.get(key)?.[0] as string | undefined),
    };
  };
};

export const prepareIsTreeIncomplete = (connection: Connection): ((tree: AddressBytes) => boolean) => {
  const statement = connection.prepareSmall("SELECT 1 FROM incomplete_tree WHERE tree = ?");
  return (tree) => statement.get(tree) !== undefined;
};
