import { decodeAddress, sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  type AnswerTo,
  inheritsFrom,
  jsonUriOf,
  type ReadOf,
  type StoredAsset,
  type StoredContent,
} from "@lamplight/core";
import { mapKeyOf, uriKey } from "../columns/keys.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import { LARGE } from "./gathered.ts";
import {
  type FoundWithHead,
  incompleteTreeOf,
  type KnownBefore,
  qualified,
  type StoreSettings,
  VIEW_HEAD_WIDTH,
  viewHeadColumns,
  viewHeadOf,
} from "./read-head.ts";

const documentColumns = "document, extras";
const DOCUMENT_WIDTH = 2;

/** The asset, and the collection from which it takes facts, if any. */
const assetColumns = `${qualified("asset_document", documentColumns)}, asset.updated_slot,
asset.inherits_from, ${qualified("shared", documentColumns)}`;
const fromAsset = `FROM head LEFT JOIN asset_document ON asset_document.id = $1 LEFT JOIN asset ON asset.id = $1
LEFT JOIN asset_document shared ON shared.id = asset.inherits_from`;

/** One asset with the head, and with everything that its document is joined from. */
export const assetStatements = {
  asset: statement(`SELECT ${viewHeadColumns}, ${assetColumns} ${fromAsset} WHERE head.id = 1`),
  assetWithContent: statement(`SELECT ${viewHeadColumns}, ${assetColumns},
sha256(asset.json_uri), offchain.content ${fromAsset}
LEFT JOIN offchain ON offchain.uri_key = sha256(asset.json_uri) WHERE head.id = 1`),
} as const;

/** Columns at which the parts of such a row begin. */
const parts = {
  own: VIEW_HEAD_WIDTH,
  /** Address of the collection; it may not be stored. */
  sharedId: VIEW_HEAD_WIDTH + DOCUMENT_WIDTH + 1,
  shared: VIEW_HEAD_WIDTH + DOCUMENT_WIDTH + 2,
  uriKey: VIEW_HEAD_WIDTH + 2 * DOCUMENT_WIDTH + 2,
  content: VIEW_HEAD_WIDTH + 2 * DOCUMENT_WIDTH + 3,
} as const;

/** An asset with what it shares with others, and the head; null in a store that is not filled. */
export const findAssetWithHead = async (
  db: Statements,
  { hasContents }: KnownBefore,
  { id }: ReadOf<"asset">,
): Promise<FoundWithHead<AnswerTo<"asset">> | null> => {
  const row = await db.get(assetStatements[hasContents ? "assetWithContent" : "asset"], id);
  if (row === undefined) return null;
  return {
    head: viewHeadOf(row),
    answerAt: ({ settings }) =>
      row[parts.own] === null ? { value: null } : assetIn(row, hasContents, settings),
  };
};

const assetIn = (
  row: Row,
  wasContentRead: boolean,
  settings: StoreSettings,
): { readonly value: AnswerTo<"asset"> } | null => {
  const own = ownAssetOf(row, parts.own);
  const content = contentIn(row, own, wasContentRead, settings);
  const incompleteTree = incompleteTreeOf(own, settings);
  const collection = collectionIn(row, own);
  if (content === undefined || collection === undefined || incompleteTree === undefined) return null;
  return { value: { own, updatedSlot: own.updatedSlot, content, collection, incompleteTree } };
};

/** Undefined where another statement is needed. */
const contentIn = (
  row: Row,
  { document }: StoredAsset,
  wasRead: boolean,
  { hasContents }: StoreSettings,
): StoredContent | null | undefined => {
  if (!hasContents) return null;
  const uri = jsonUriOf(document);
  if (uri === "") return null;
  const key = row[parts.uriKey] as Uint8Array | null;
  if (!wasRead || key === null || !sameBytes(key, uriKey(uri))) return undefined;
  const content = row[parts.content] as string | null;
  return content === null ? null : { parts: content };
};

/** Undefined where another statement is needed: the row names another collection than the document. */
const collectionIn = (row: Row, own: StoredAsset): StoredAsset | null | undefined => {
  const from = inheritsFrom(own);
  if (from === null) return null;
  const id = row[parts.sharedId] as AddressBytes | null;
  if (id === null || !sameBytes(id, decodeAddress(from))) return undefined;
  return row[parts.shared] === null ? null : storedAssetOf(row, parts.shared);
};

const findById = statement(`SELECT document, extras,
(SELECT updated_slot FROM asset WHERE id = $1) FROM asset_document WHERE id = $1`);

export const findOwnAsset = async (db: Statements, id: AddressBytes): Promise<AnswerTo<"ownAsset">> => {
  const row = await db.get(findById, id);
  return row === undefined ? null : ownAssetOf(row, 0);
};

/** The size of a text is known without reading it: a document that is too large is not sent. */
const findByIds = statement(`SELECT id,
CASE WHEN octet_length(document) + coalesce(octet_length(extras), 0) <= $2::bigint THEN document END,
CASE WHEN octet_length(extras) <= $2::bigint THEN extras END, (SELECT updated_slot FROM asset WHERE asset.id = asset_document.id) FROM asset_document WHERE id = ANY ($1::bytea[])`);

/** Assets in the order of `ids`; null where there is none, `LARGE` where document and extras are over `bytesMax`. */
export const findOwnAssets = async (
  db: Statements,
  ids: readonly AddressBytes[],
  bytesMax: number,
): Promise<readonly (AnswerTo<"ownAsset"> | typeof LARGE)[]> => {
  // A collection is asked for by each of its members.
  const distinct = new Map(ids.map((id) => [mapKeyOf(id), id]));
  const asked = arrayParameter("bytea", [...distinct.values()]);
  const found = new Map<string, AnswerTo<"ownAsset"> | typeof LARGE>();
  for (const row of await db.all(findByIds, asked, bytesMax))
    found.set(mapKeyOf(row[0] as AddressBytes), row[1] === null ? LARGE : ownAssetOf(row, 1));
  return ids.map((id) => found.get(mapKeyOf(id)) ?? null);
};

/** Decodes a row that has document and extras from column `at` on. */
export const storedAssetOf = (row: Row, at: number): StoredAsset => ({
  document: row[at] as string,
  extras: row[at + 1] as string | null,
});

/** Decodes a row that also has the slot of the last update behind them. */
export const ownAssetOf = (row: Row, at: number): NonNullable<AnswerTo<"ownAsset">> => ({
  ...storedAssetOf(row, at),
  updatedSlot: Number(row[at + DOCUMENT_WIDTH]),
});
