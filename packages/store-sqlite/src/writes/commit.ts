import type { AccountWrite, ChangeSet, CommitReceipt, Watermark } from "@lamplight/core";
import { prefixOf } from "../columns/account-key.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";
import { prepareWriteAccount } from "./write-account.ts";
import { prepareAssetWriter } from "./write-assets.ts";
import { type HeadDraft, prepareHeadWriter } from "./write-head.ts";
import { prepareWriteLists } from "./write-lists.ts";
import { prepareTopAccountsWriter, type TopAccountsBounds } from "./write-top-accounts.ts";

/** Applies change sets, each in one transaction. */
export const prepareCommit = (
  connection: Connection,
  programs: ProgramDictionary,
  bounds: TopAccountsBounds,
  holdings: boolean,
): ((changes: ChangeSet) => CommitReceipt) => {
  const heads = prepareHeadWriter(connection);
  const topAccounts = prepareTopAccountsWriter(connection, bounds);
  const writeAccount = prepareWriteAccount(connection, programs, topAccounts, holdings);
  const assets = prepareAssetWriter(connection);
  const writeLists = prepareWriteLists(connection);

  const apply = (changes: ChangeSet): CommitReceipt => {
    const head = heads.read();
    for (const write of inKeyOrder(changes.accounts)) writeAccount(write, head);
    topAccounts.settle(head);
    writeLists(changes, head);
    for (const id of changes.assetsRemoved) assets.remove(id, head);
    const ordinals = changes.assets.map((asset) => assets.put(asset, head));
    if (changes.watermark !== null) moveWatermark(head, changes.watermark);
    heads.write(head);
    return { changeSeq: head.changeSeq, ordinals };
  };

  return (changes) => {
    try {
      return connection.write(() => apply(changes));
    } catch (error) {
      programs.forget();
      throw error;
    }
  };
};

/** Neighbouring keys share pages: sorted writes are several times faster on a large table. */
const inKeyOrder = (writes: readonly AccountWrite[]): readonly AccountWrite[] =>
  writes
    .map((write) => ({ write, id: prefixOf(write.state.current.address) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ write }) => write);

const moveWatermark = (head: HeadDraft, watermark: Watermark): void => {
  if (head.slot !== null && watermark.slot < head.slot) return;
  head.slot = watermark.slot;
  head.blockhash = watermark.blockhash;
};
