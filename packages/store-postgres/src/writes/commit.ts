import type { ChangeSet, CommitReceipt, Slot, Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { writeNextRows } from "./next-rows.ts";
import { type AccountWriting, writeAccounts } from "./write-accounts.ts";
import { putAssetRows, removeAssets } from "./write-assets.ts";
import { draftHead, type HeadDraft, writeHead } from "./write-head.ts";
import { writeLists } from "./write-lists.ts";
import { removeFinalized } from "./write-unfinalized.ts";

/** The newest commit that was acknowledged to a writer. */
export interface Kept {
  readonly slot: Slot | null;
  readonly changeSeq: number;
}

/** More that one transaction writes, before its head row. */
export type AlsoWrite = (session: Session, head: HeadDraft) => Promise<void>;

/** Applies a change set within the session's current transaction. */
export const applyChanges = async (
  session: Session,
  writing: AccountWriting,
  changes: ChangeSet,
  writerEpoch: number,
  kept: Kept,
  also?: AlsoWrite,
): Promise<CommitReceipt> => {
  const head = await draftHead(session, writerEpoch);
  // The caller's memory depends on that commit, so nothing may be written after it was lost.
  if (head.changeSeq < kept.changeSeq || (head.slot ?? -1) < (kept.slot ?? -1))
    throw new LamplightError("STORE__WENT_BACK", { store: session.store, slot: head.slot });
  await writeAccounts(session, writing, changes.accounts, head);
  await writeLists(session, changes, head);
  await removeAssets(session, changes.assetsRemoved, head);
  const ordinals = await putAssetRows(session, changes.assets, head);
  if (changes.next !== undefined && changes.next.length > 0) await writeNextRows(session, changes.next);
  if (changes.watermark !== null) moveWatermark(head, changes.watermark);
  if (changes.watermark !== null) await removeFinalized(session, changes.watermark.slot);
  await also?.(session, head);
  await writeHead(session, head);
  return { changeSeq: head.changeSeq, ordinals };
};

const moveWatermark = (head: HeadDraft, watermark: Watermark): void => {
  if (head.slot !== null && watermark.slot < head.slot) return;
  head.slot = watermark.slot;
  head.blockhash = watermark.blockhash;
};
