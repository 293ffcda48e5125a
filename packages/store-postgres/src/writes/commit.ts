import type { ChangeSet, CommitReceipt, Slot, Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { readHead } from "../queries/read-head.ts";
import { type AccountWriting, writeAccounts } from "./write-accounts.ts";
import { putAssetRows, removeAssets } from "./write-assets.ts";
import { type HeadDraft, writeHead } from "./write-head.ts";
import { writeLists } from "./write-lists.ts";
import { removeFinalized } from "./write-unfinalized.ts";

/** What was acknowledged to a writer so far. */
export interface Kept {
  readonly slot: Slot | null;
  readonly changeSeq: number;
}

/** Applies a change set inside the transaction that the session is in. */
export const applyChanges = async (
  session: Session,
  writing: AccountWriting,
  changes: ChangeSet,
  writerEpoch: number,
  kept: Kept,
): Promise<CommitReceipt> => {
  const head: HeadDraft = { ...(await readHead(session)), writerEpoch };
  // What the caller holds in memory builds on what was kept: nothing may be written over its loss.
  if (head.changeSeq < kept.changeSeq || (head.slot ?? -1) < (kept.slot ?? -1))
    throw new LamplightError("STORE__WENT_BACK", { store: session.store, slot: head.slot });
  await writeAccounts(session, writing, changes.accounts, head);
  await writeLists(session, changes, head);
  await removeAssets(session, changes.assetsRemoved, head);
  const ordinals = await putAssetRows(session, changes.assets, head);
  if (changes.watermark !== null) moveWatermark(head, changes.watermark);
  if (changes.watermark !== null) await removeFinalized(session, changes.watermark.slot);
  await writeHead(session, head);
  return { changeSeq: head.changeSeq, ordinals };
};

const moveWatermark = (head: HeadDraft, watermark: Watermark): void => {
  if (head.slot !== null && watermark.slot < head.slot) return;
  head.slot = watermark.slot;
  head.blockhash = watermark.blockhash;
};
