import { accountRowColumns, codedBit, ledgerKindNumber, type ReadOf } from "@lamplight/core";
import type { Row, Statements } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import { documentColumns, DOCUMENT_WIDTH } from "./read-documents.ts";
import { VIEW_HEAD_WIDTH, viewHeadColumns } from "./read-head.ts";

// One statement is one snapshot by itself: the head comes with the row, and alone where there is none. Each database of
// a distributed store would take its own snapshot.

const columnsOf = (table: string, columns: string): string =>
  columns
    .split(", ")
    .map((column) => `${table}.${column}`)
    .join(", ");

const accountColumns = columnsOf("account", accountRowColumns);
/** The asset, and the collection from which it takes facts, if any. */
const assetColumns = `${columnsOf("asset_document", documentColumns)}, asset.updated_slot,
asset.inherits_from, ${columnsOf("shared", documentColumns)}`;
const fromAsset = `FROM head LEFT JOIN asset_document ON asset_document.id = $1 LEFT JOIN asset ON asset.id = $1
LEFT JOIN asset_document shared ON shared.id = asset.inherits_from`;
const accountWidth = accountRowColumns.split(", ").length;

/** The mint that a token account names, if this is one: its first 32 bytes, behind one control byte where they are coded. */
const mintOfRow = `substring(account.data FROM 1 + (account.flags & ${codedBit}) / ${codedBit} FOR 32)`;

/** Keys of a statement that the server plans once. It plans one with an array each time, which takes longer than the reads. */
const FEW_KEYS = 8;

const ledgerStatement = (keys: string): Statement =>
  statement(`SELECT ${viewHeadColumns}, ledger.key, ledger.tree, ledger.state
FROM head LEFT JOIN ledger ON ledger.kind = $1 AND ledger.key ${keys} WHERE head.id = 1`);

export const pointStatements = {
  account: statement(`SELECT ${viewHeadColumns}, ${accountColumns}
FROM head LEFT JOIN account ON account.address = $1 WHERE head.id = 1`),
  accountWithMint: statement(`SELECT ${viewHeadColumns}, ${accountColumns},
mint.address, ${columnsOf("mint", accountRowColumns)}
FROM head LEFT JOIN account ON account.address = $1
LEFT JOIN account mint ON mint.address = ${mintOfRow} WHERE head.id = 1`),
  asset: statement(`SELECT ${viewHeadColumns}, ${assetColumns} ${fromAsset} WHERE head.id = 1`),
  assetWithContent: statement(`SELECT ${viewHeadColumns}, ${assetColumns},
sha256(asset.json_uri), offchain.content ${fromAsset}
LEFT JOIN offchain ON offchain.uri_key = sha256(asset.json_uri) WHERE head.id = 1`),
  ledger: ledgerStatement("= $2"),
  ledgers: ledgerStatement(`IN (${Array.from({ length: FEW_KEYS }, (_, at) => `$${at + 2}`).join(", ")})`),
  manyLedgers: ledgerStatement("= ANY ($2::bytea[])"),
} as const;

/** Columns at which the parts of a row begin. */
export const pointRowParts = {
  row: VIEW_HEAD_WIDTH,
  /** Followed by the rent epoch and the data. */
  flags: VIEW_HEAD_WIDTH + accountRowColumns.split(", ").indexOf("flags"),
  /** Address of the collection; it may not be stored. */
  sharedId: VIEW_HEAD_WIDTH + DOCUMENT_WIDTH + 1,
  shared: VIEW_HEAD_WIDTH + DOCUMENT_WIDTH + 2,
  uriKey: VIEW_HEAD_WIDTH + 2 * DOCUMENT_WIDTH + 2,
  content: VIEW_HEAD_WIDTH + 2 * DOCUMENT_WIDTH + 3,
  mintAddress: VIEW_HEAD_WIDTH + accountWidth,
  mint: VIEW_HEAD_WIDTH + accountWidth + 1,
} as const;

/** The head in front of each compression state that is there, and alone where none is; no rows in a store that is not filled. */
export const readLedgerRows = (db: Statements, { of, keys }: ReadOf<"ledger">): Promise<readonly Row[]> => {
  const kind = ledgerKindNumber(of);
  const [first] = keys;
  if (first === undefined || keys.length > FEW_KEYS)
    return db.all(pointStatements.manyLedgers, kind, arrayParameter("bytea", keys));
  if (keys.length === 1) return db.all(pointStatements.ledger, kind, first);
  const few = Array.from({ length: FEW_KEYS }, (_, at) => keys[at] ?? first);
  return db.all(pointStatements.ledgers, kind, ...few);
};
