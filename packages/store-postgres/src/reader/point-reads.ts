import { decodeAddress, sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  type AnswerTo,
  codedBit,
  decodeAccountRow,
  type FoundAsset,
  inheritsFrom,
  jsonUriOf,
  mintNeededBy,
  type ReadOf,
  type StoredAsset,
  type StoredContent,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Session } from "../engine/session.ts";
import { uriKey } from "../offchain/offchain-row.ts";
import { foundAssetOf, storedAssetOf } from "../queries/read-documents.ts";
import { isItsTreeIncomplete, type StoreSettings, type ViewHead, viewHeadOf } from "../queries/read-head.ts";
import { ledgerIn } from "../queries/read-lists.ts";
import { pointRowParts, pointStatements, readLedgerRows } from "../queries/read-with-head.ts";
import { readDelegatedPage } from "./delegated-page.ts";
import type { Caches, SharedCaches } from "./shared-caches.ts";

/** A read that one statement answers together with the head. */
export type PointRead = ReadOf<"account" | "accountWithMint" | "asset" | "delegated" | "ledger">;

/** The answer to such a read, and the state that it is of. */
export interface PointAnswer {
  readonly head: ViewHead;
  readonly caches: Caches;
  readonly settings: StoreSettings;
  readonly answer: AnswerTo<PointRead["kind"]>;
}

export const isPointRead = (asked: { readonly kind: string }): asked is PointRead =>
  asked.kind === "account" ||
  asked.kind === "accountWithMint" ||
  asked.kind === "asset" ||
  asked.kind === "delegated" ||
  asked.kind === "ledger";

/**
 * Null where one statement is not enough: cached settings or programs do not suffice, there is no slot yet, or a list
 * is too long.
 */
export const readPoint = async (
  session: Session,
  shared: SharedCaches,
  asked: PointRead,
): Promise<PointAnswer | null> => {
  const before = shared.seen;
  if (asked.kind === "delegated") {
    const found = await readDelegatedPage(session, shared, asked);
    return found === null ? null : answerAt(shared, found.head, before, () => found.page);
  }
  if (asked.kind === "ledger") {
    const rows = await readLedgerRows(session, asked);
    const [head] = rows;
    return head === undefined
      ? null
      : answerAt(shared, viewHeadOf(head), before, () => ({ value: ledgerOf(rows, asked) }));
  }
  const { hasContents } = shared;
  const row =
    asked.kind === "asset"
      ? await session.get(pointStatements[hasContents ? "assetWithContent" : "asset"], asked.id)
      : await session.get(pointStatements[asked.kind], asked.address);
  // The store is not filled.
  if (row === undefined) return null;
  return answerAt(shared, viewHeadOf(row), before, ({ programs }, settings) => {
    if (asked.kind === "asset") return assetIn(row, hasContents, settings);
    if (!isUnderstood(row, asked, programs)) return null;
    const found = accountsIn(row, asked, programs);
    if (found === null) return null;
    return { value: asked.kind === "account" ? found.account : found };
  });
};

/** The answer is in an object, since it can be null itself. */
interface Answered {
  readonly value: PointAnswer["answer"];
}

const answerAt = (
  shared: SharedCaches,
  head: ViewHead,
  before: ViewHead | null,
  answerBy: (caches: Caches, settings: StoreSettings) => Answered | null,
): PointAnswer | null => {
  if (head.slot === null) return null;
  const caches = shared.at(head, before);
  const settings = caches.settings.known(head.settingsRevision);
  const answered = settings === null ? null : answerBy(caches, settings);
  return settings === null || answered === null ? null : { head, caches, settings, answer: answered.value };
};

const assetIn = (row: Row, wasContentRead: boolean, settings: StoreSettings): Answered | null => {
  const { row: at } = pointRowParts;
  if (row[at] === null) return { value: null };
  const own = foundAssetOf(row, at);
  const content = contentIn(row, own, wasContentRead, settings);
  const isTreeIncomplete = isItsTreeIncomplete(own, settings);
  const collection = collectionIn(row, own);
  if (content === undefined || collection === undefined || isTreeIncomplete === undefined) return null;
  return { value: { own, content, collection, isTreeIncomplete } };
};

/** Undefined where another statement is needed. */
const contentIn = (
  row: Row,
  { document }: FoundAsset,
  wasRead: boolean,
  { hasContents }: StoreSettings,
): StoredContent | null | undefined => {
  if (!hasContents) return null;
  const uri = jsonUriOf(document);
  if (uri === "") return null;
  const key = row[pointRowParts.uriKey] as Uint8Array | null;
  if (!wasRead || key === null || !sameBytes(key, uriKey(uri))) return undefined;
  const parts = row[pointRowParts.content] as string | null;
  return parts === null ? null : { parts };
};

/** Undefined where another statement is needed: the row names another collection than the document. */
const collectionIn = (row: Row, own: FoundAsset): StoredAsset | null | undefined => {
  const from = inheritsFrom(own);
  if (from === null) return null;
  const id = row[pointRowParts.sharedId] as AddressBytes | null;
  if (id === null || !sameBytes(id, decodeAddress(from))) return undefined;
  return row[pointRowParts.shared] === null ? null : storedAssetOf(row, pointRowParts.shared);
};

const ledgerOf = (rows: readonly Row[], { of, keys }: ReadOf<"ledger">): AnswerTo<"ledger"> => {
  const states = rows.map((row) => row.slice(pointRowParts.row)).filter(([key]) => key !== null);
  return ledgerIn(states, of, keys);
};

type AccountRead = ReadOf<"account" | "accountWithMint">;

const hasMint = (row: Row, { kind }: AccountRead): boolean =>
  kind === "accountWithMint" && row[pointRowParts.mintAddress] !== null;

const isUnderstood = (row: Row, asked: AccountRead, programs: ProgramDictionary): boolean => {
  const program = row[pointRowParts.row] as number | null;
  if (program !== null && !programs.knows(program)) return false;
  return !hasMint(row, asked) || programs.knows(row[pointRowParts.mint] as number);
};

/** Null where the mint that the account needs is another one than the statement looked for. */
const accountsIn = (
  row: Row,
  asked: AccountRead,
  { addressOf }: ProgramDictionary,
): AnswerTo<"accountWithMint"> | null => {
  if (row[pointRowParts.row] === null) return { account: null, mint: null };
  const account = decodeAccountRow(Uint8Array.from(asked.address), row, pointRowParts.row, addressOf);
  const needed = asked.kind === "account" ? null : mintNeededBy(account);
  if (needed === null) return { account, mint: null };
  if (!sameBytes(needed, mintAskedIn(row))) return null;
  if (!hasMint(row, asked)) return { account, mint: null };
  const address = row[pointRowParts.mintAddress] as AddressBytes;
  return { account, mint: decodeAccountRow(address, row, pointRowParts.mint, addressOf) };
};

/** Address of the mint that the statement looked for. It may not exist. */
const mintAskedIn = (row: Row): AddressBytes => {
  const [flags, , data] = row.slice(pointRowParts.flags) as [number, unknown, Uint8Array];
  const at = (flags & codedBit) === 0 ? 0 : 1;
  return data.slice(at, at + 32);
};
