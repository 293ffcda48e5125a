import {
  type Ordinal,
  PACK_SEPARATOR,
  type PackedAssets,
  type StoredAsset,
  inheritsStart,
  isInheriting,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { arrayParameter, unseenArray } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import { storedAssetOf } from "./find-asset.ts";

/** The size of a text is known without reading it: a document that is too large is not sent. */
const byOrdinalsSql = (ordinals: string): string =>
  `SELECT ord, CASE WHEN octet_length(document) <= $2::bigint AND coalesce(octet_length(extras), 0) <= $2::bigint
THEN document END, CASE WHEN octet_length(extras) <= $2::bigint THEN extras END
FROM asset_document WHERE ord = ANY (${ordinals})`;
const findByOrdinals = statement(byOrdinalsSql(unseenArray("$1", "bigint")), byOrdinalsSql("$1::bigint[]"));

/** Same order and length as `ordinals`; an ordinal may be asked for twice. */
export const getAssets = async (
  db: Statements,
  ordinals: readonly Ordinal[],
  bytesMax = Number.MAX_SAFE_INTEGER,
): Promise<readonly (StoredAsset | null)[]> => {
  if (ordinals.length === 0) return [];
  const rows = await db.all(findByOrdinals, arrayParameter("bigint", ordinals), bytesMax);
  return inOrder(db, rows, ordinals).map((row) => (row[1] === null ? null : storedAssetOf(row, 1)));
};

/** Those that exist, by ordinal; null where document or extras are larger than `bytesMax`. */
export const findAssetsByOrdinal = async (
  db: Statements,
  ordinals: readonly Ordinal[],
  bytesMax = Number.MAX_SAFE_INTEGER,
): Promise<ReadonlyMap<Ordinal, StoredAsset | null>> => {
  const rows = await db.all(findByOrdinals, arrayParameter("bigint", ordinals), bytesMax);
  return new Map(rows.map((row) => [Number(row[0]), row[1] === null ? null : storedAssetOf(row, 1)]));
};

/** The same, whose documents stay bytes. */
export const packAssets = async (
  db: Statements,
  ordinals: readonly Ordinal[],
  bytesMax: number,
): Promise<Omit<PackedAssets, "mayHaveContents">> => {
  const asked = arrayParameter("bigint", ordinals);
  const rows = inOrder(db, await db.views(findByOrdinals, asked, bytesMax), ordinals);
  const documents = rows.map((row) => row[1] as Buffer | null);
  const sizes = documents.map((document) => document?.length ?? 0);
  const separators = Math.max(0, ordinals.length - 1) * PACK_SEPARATOR.length;
  const bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, separators));
  let at = 0;
  for (const [index, document] of documents.entries()) {
    if (index > 0) at += bytes.write(PACK_SEPARATOR, at, "latin1");
    if (document !== null) at += document.copy(bytes, at);
  }
  return { bytes, sizes, inheriting: inheritingOf(rows) };
};

const inheritingOf = (rows: readonly Row[]): PackedAssets["inheriting"] => {
  const inheriting = new Map<number, string>();
  for (const [index, [, document, extras]] of (rows as readonly PackedRow[]).entries())
    if (
      document !== null &&
      isInheriting({ extras: extras?.toString("latin1", 0, inheritsStart.length) ?? null })
    )
      inheriting.set(index, extras!.toString());
  return inheriting;
};

type PackedRow = readonly [ordinal: bigint, document: Buffer | null, extras: Buffer | null];

/** Rows that begin with an ordinal, each where it was asked for. */
const inOrder = (db: Statements, rows: readonly Row[], ordinals: readonly Ordinal[]): readonly Row[] => {
  const found = new Map(rows.map((row) => [Number(row[0]), row]));
  return ordinals.map((ordinal) => {
    const row = found.get(ordinal);
    if (row !== undefined) return row;
    throw new LamplightError("STORE__CORRUPT", {
      store: db.store,
      reason: `asset ${ordinal} was asked for by ordinal and does not exist`,
    });
  });
};
