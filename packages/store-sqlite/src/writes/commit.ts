import type { AccountWrite, AddressBytes, Asset, ChangeSet, CommitReceipt, Watermark } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";
import type { NewestStates } from "./newest-states.ts";
import { prepareApplyNext, prepareWriteNextRows } from "./next-set.ts";
import { prepareWriteAccount } from "./write-account.ts";
import { prepareAssetWriter } from "./write-assets.ts";
import { type HeadDraft, prepareHeadWriter } from "./write-head.ts";
import { prepareWriteLists } from "./write-lists.ts";
import { prepareTopAccountsWriter, type TopAccountsBounds } from "./write-top-accounts.ts";

/** Applies a change set in one transaction. */
type Commit = (changes: ChangeSet, more?: CommitMore) => CommitReceipt;

/** What the commit that finishes the next set writes in addition. */
export interface CommitMore {
  /** Reads the rows of the next set, which replace assets before the changes do. */
  readonly decode: (body: Uint8Array) => Asset | null;
  readonly also: () => void;
}

/** Applies change sets. */
export const prepareCommit = (
  connection: Connection,
  programs: ProgramDictionary,
  bounds: TopAccountsBounds,
  holdings: boolean,
  newest: NewestStates,
): Commit => {
  const heads = prepareHeadWriter(connection);
  const topAccounts = prepareTopAccountsWriter(connection, bounds);
  const writeAccount = prepareWriteAccount(connection, programs, topAccounts, holdings, newest);
  const assets = prepareAssetWriter(connection);
  const writeLists = prepareWriteLists(connection);
  const writeNextRows = prepareWriteNextRows(connection);
  const applyNext = prepareApplyNext(connection, assets);

  const apply = (changes: ChangeSet, more?: CommitMore): CommitReceipt => {
    const head = heads.read();
    for (const write of inKeyOrder(changes.accounts)) writeAccount(write, head);
    topAccounts.settle(head);
    writeLists(changes, head);
    if (more !== undefined) applyNext(head, more.decode);
    for (const id of changes.assetsRemoved) assets.remove(id, head);
    const ordinals = changes.assets.map((asset) => assets.put(asset, head));
    writeNextRows(changes.next ?? []);
    if (more !== undefined) {
      more.also();
      head.settingsRevision += 1;
    }
    if (changes.watermark !== null) moveWatermark(head, changes.watermark);
    heads.write(head);
    return { changeSeq: head.changeSeq, ordinals };
  };

  return (changes, more) => {
    try {
      return connection.write(() => apply(changes, more));
    } catch (error) {
      programs.forget();
      newest.clear();
      throw error;
    }
  };
};

/** Neighboring keys share pages, so sorted writes are several times faster on a large table. */
const inKeyOrder = (writes: readonly AccountWrite[]): readonly AccountWrite[] => {
  const places = Float64Array.from(writes, ({ state }) => placeOf(state.current.address));
  return [...writes.keys()]
    .toSorted((a, b) => (places[a] as number) - (places[b] as number))
    .map((index) => writes[index] as AccountWrite);
};

/** Sort key of an address: the first six bytes of its key, whose first bit is the sign. */
const placeOf = (address: AddressBytes): number => {
  let place = (address[0] as number) ^ 0x80;
  for (let at = 1; at < 6; at += 1) place = place * 256 + (address[at] as number);
  return place;
};

const moveWatermark = (head: HeadDraft, watermark: Watermark): void => {
  if (head.slot !== null && watermark.slot < head.slot) return;
  head.slot = watermark.slot;
  head.blockhash = watermark.blockhash;
};
