import { type ChangeSet, emptyChangeSet, type NumberedAsset, type Ordinal, type Slot } from "@lamplight/core";
import type { Session } from "../engine/session.ts";
import { type AccountWriting, writeAccounts } from "../writes/write-accounts.ts";
import { bulkDelete, bulkInsert, runBulk } from "../writes/bulk.ts";
import {
  assetRows,
  assetTables,
  putAssetRowsAs,
  removalColumns,
  removalValues,
} from "../writes/write-assets.ts";
import { draftHead, writeHead } from "../writes/write-head.ts";
import { writeLists } from "../writes/write-lists.ts";

/** An asset that is removed, with the ordinal it had. */
export interface NumberedRemoval {
  readonly id: Uint8Array;
  readonly ordinal: Ordinal;
  readonly changeSeq: number;
}

/** The rows of one numbered delta that belong to one shard. Written twice, they are the same. */
export interface ShardRows extends Pick<
  ChangeSet,
  "accounts" | "linksAdded" | "linksRemoved" | "assetsSeen" | "editions" | "editionsRemoved" | "ledger"
> {
  readonly number: number;
  /** The slot of the store after the delta; null before the first watermark. */
  readonly slot: Slot | null;
  readonly changeSeq: number;
  readonly nextOrdinal: Ordinal;
  readonly assets: readonly NumberedAsset[];
  readonly removals: readonly NumberedRemoval[];
}

const putRemovals = bulkInsert("asset_removed", removalColumns, "ON CONFLICT DO NOTHING");
const deletions = (["asset", "asset_document", "asset_creator", "asset_group"] as const).map((table) =>
  bulkDelete(table, [["id", assetTables[table][0][1]]]),
);

/** Writes them within the session's current transaction. */
export const writeNumbered = async (
  session: Session,
  writing: AccountWriting,
  rows: ShardRows,
): Promise<void> => {
  const { accounts, linksAdded, linksRemoved, assetsSeen, editions, editionsRemoved, ledger } = rows;
  const head = await draftHead(session);
  await writeAccounts(session, writing, accounts, head);
  const lists = { linksAdded, linksRemoved, assetsSeen, editions, editionsRemoved, ledger };
  await writeLists(session, { ...emptyChangeSet, ...lists }, head);
  await remove(session, rows.removals);
  await putAssetRowsAs(
    session,
    assetRows(rows.assets),
    rows.assets.map(({ id }) => [id]),
  );
  head.slot = rows.slot ?? head.slot;
  head.changeSeq = rows.changeSeq;
  head.nextOrdinal = rows.nextOrdinal;
  await writeHead(session, head);
};

const remove = async (session: Session, removals: readonly NumberedRemoval[]): Promise<void> => {
  if (removals.length === 0) return;
  const ids = removals.map(({ id }) => [id]);
  await Promise.all([
    ...deletions.map((deletion) => runBulk(session, deletion, ids)),
    runBulk(session, putRemovals, removals.map(removalValues)),
  ]);
};
