import {
  type AddressBytes,
  type AnswerTo,
  inheritsFrom,
  jsonUriOf,
  type StoredAsset,
  type StoredContent,
} from "@lamplight/core";
import { encodeAddress } from "@lamplight/codecs";
import { textFromColumn } from "../columns/text-column.ts";
import { arrayParameter, unseenArray } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import { ownAssetOf, storedAssetOf } from "./find-asset.ts";
import { LARGE } from "./gathered.ts";
import { incompleteTreeOf, type StoreSettings } from "./read-head.ts";

/** Marks of rows in place of the position of an asset. */
const COLLECTION = -1;
const CONTENT = -2;

/** The size of a text is known without reading it: one that is too large is not sent. */
const upTo = (column: string, size: string): string => `CASE WHEN ${size} <= $2::bigint THEN ${column} END`;

// `LIMIT 1` keeps the planner to one lookup for each row: an id has at most one.
const documentOf = (id: string): string =>
  `(SELECT ord, ${upTo("document", "octet_length(document) + coalesce(octet_length(extras), 0)")} AS document,
${upTo("extras", "octet_length(extras)")} AS extras FROM asset_document WHERE asset_document.id = ${id} LIMIT 1)`;

/** One row for each asset, then one for each collection and each off-chain document that they name, stored or not. */
const textOf = (withContents: boolean): string => `WITH own AS MATERIALIZED (
SELECT asked.at::integer, asset.* FROM unnest(${unseenArray("$1", "bytea")}) WITH ORDINALITY AS asked (id, at) CROSS JOIN LATERAL (
SELECT id, updated_slot, inherits_from, json_uri FROM asset WHERE asset.id = asked.id LIMIT 1) AS asset)
SELECT own.at, NULL::bytea, document.*, own.updated_slot FROM own CROSS JOIN LATERAL ${documentOf("own.id")} AS document
UNION ALL SELECT ${COLLECTION}, shared.id, document.*, NULL FROM (
SELECT DISTINCT inherits_from AS id FROM own WHERE inherits_from IS NOT NULL) AS shared
LEFT JOIN LATERAL ${documentOf("shared.id")} AS document ON true${
  withContents
    ? `
UNION ALL SELECT ${CONTENT}, named.uri, octet_length(found.content), ${upTo("found.content", "octet_length(found.content)")}, NULL, NULL FROM (
SELECT DISTINCT json_uri AS uri FROM own) AS named LEFT JOIN LATERAL (
SELECT content FROM offchain WHERE uri_key = sha256(named.uri) LIMIT 1) AS found ON true`
    : ""
}`;

/** Tests of the plans use these statements. They join tables by what is no key of theirs: see `schema/distribution.ts`. */
export const assetsStatements = { bare: statement(textOf(false)), withContents: statement(textOf(true)) };

/** The ordinal is null where nothing is stored. */
const parts = { name: 1, ordinal: 2, text: 3 } as const;

/**
 * Assets with what they share with others, in the order of `ids`, by one statement. Null where there is none; `LARGE`
 * where the asset, its collection or its off-chain document is over `bytesMax`, or this statement is not enough.
 */
export const findAssets = async (
  db: Statements,
  settings: StoreSettings,
  ids: readonly AddressBytes[],
  bytesMax: number,
): Promise<readonly (AnswerTo<"asset"> | typeof LARGE)[]> => {
  const asked = assetsStatements[settings.hasContents ? "withContents" : "bare"];
  const found: (AnswerTo<"ownAsset"> | typeof LARGE)[] = Array.from({ length: ids.length }, () => null);
  const shared = new SharedRows();
  for (const row of await db.all(asked, arrayParameter("bytea", ids), bytesMax)) {
    const at = row[0] as number;
    if (at < 0) shared.add(at, row);
    else found[at - 1] = row[parts.text] === null ? LARGE : ownAssetOf(row, parts.text);
  }
  return found.map((own) => (own === null || own === LARGE ? own : assetOf(own, shared, settings)));
};

/** The rows that several assets of one statement share. */
class SharedRows {
  /** By base58 address. */
  readonly collections = new Map<string, StoredAsset | null | typeof LARGE>();
  /** By URI. */
  readonly contents = new Map<string, StoredContent | null | typeof LARGE>();

  add(kind: number, row: Row): void {
    const name = row[parts.name] as Uint8Array;
    const isThere = row[parts.ordinal] !== null;
    const isLarge = isThere && row[parts.text] === null;
    if (kind === COLLECTION) {
      const stored = isThere ? storedAssetOf(row, parts.text) : null;
      this.collections.set(encodeAddress(name), isLarge ? LARGE : stored);
    } else {
      const content = isThere ? { parts: row[parts.text] as string } : null;
      this.contents.set(textFromColumn(name), isLarge ? LARGE : content);
    }
  }
}

const assetOf = (
  own: NonNullable<AnswerTo<"ownAsset">>,
  { collections, contents }: SharedRows,
  settings: StoreSettings,
): AnswerTo<"asset"> | typeof LARGE => {
  const uri = settings.hasContents ? jsonUriOf(own.document) : "";
  const from = inheritsFrom(own);
  const content = uri === "" ? null : contents.get(uri);
  const collection = from === null ? null : collections.get(from);
  const incompleteTree = incompleteTreeOf(own, settings);
  // A row may name another URI or collection than its document: then it is not among those that were looked up.
  if (content === undefined || collection === undefined || incompleteTree === undefined) return LARGE;
  if (content === LARGE || collection === LARGE) return LARGE;
  return { own, updatedSlot: own.updatedSlot, content, collection, incompleteTree };
};
