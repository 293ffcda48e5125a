import type { AccountWrite, AddressBytes, Asset, ChangeSet, CommitReceipt, Watermark } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";
import type { NewestStates } from "./newest-states.ts";
import { prepareApplyNext, prepareWriteNextRows } from "./next-set.ts";
import { prepareWriteAccount } from "./write-account.ts";
import { prepareAssetWriter } from "./write-assets.ts";
import { type HeadDraft, prepareHeadWriter } from "./write-head.ts";
import type { HoldersWriter } from "./write-holders.ts";
import { prepareWriteLists } from "./write-lists.ts";
import { prepareTopAccountsWriter, type TopAccountsBounds } from "./write-top-accounts.ts";

export interface Commits {
  /** Applies a change set in one transaction. */
  readonly commit: (changes: ChangeSet) => CommitReceipt;
  /**
   * Applies the next set, and then a change set, in one transaction that other work of the process does not wait for.
   *
   * @param decode - reads a row of the next set
   * @param also - writes more
   */
  readonly finish: (
    last: ChangeSet,
    decode: (body: Uint8Array) => Asset | null,
    also: () => void,
  ) => Promise<CommitReceipt>;
}

/** Applies change sets. */
export const prepareCommits = (
  connection: Connection,
  programs: ProgramDictionary,
  bounds: TopAccountsBounds,
  holdings: boolean,
  holders: HoldersWriter,
  newest: NewestStates,
): Commits => {
  const heads = prepareHeadWriter(connection);
  const topAccounts = prepareTopAccountsWriter(connection, bounds);
  const writeAccount = prepareWriteAccount(connection, programs, topAccounts, holdings, holders, newest);
  const assets = prepareAssetWriter(connection);
  const writeLists = prepareWriteLists(connection);
  const writeNextRows = prepareWriteNextRows(connection);
  const applyNext = prepareApplyNext(connection, assets);

  const applyStates = (changes: ChangeSet, head: HeadDraft): void => {
    for (const write of inKeyOrder(changes.accounts)) writeAccount(write, head);
    topAccounts.settle(head);
    writeLists(changes, head);
  };
  const applyAssets = (changes: ChangeSet, head: HeadDraft): CommitReceipt => {
    for (const id of changes.assetsRemoved) assets.remove(id, head);
    const ordinals = changes.assets.map((asset) => assets.put(asset, head));
    writeNextRows(changes.next ?? []);
    if (changes.watermark !== null) moveWatermark(head, changes.watermark);
    heads.write(head);
    return { changeSeq: head.changeSeq, ordinals };
  };
  const forget = (error: unknown): never => {
    programs.forget();
    newest.clear();
    throw error;
  };

  return {
    commit: (changes) => {
      try {
        return connection.write(() => {
          const head = heads.read();
          applyStates(changes, head);
          return applyAssets(changes, head);
        });
      } catch (error) {
        return forget(error);
      }
    },
    finish: (last, decode, also) =>
      connection
        .writeSlowly(async () => {
          const head = heads.read();
          applyStates(last, head);
          await applyNext(head, decode);
          also();
          head.settingsRevision += 1;
          return applyAssets(last, head);
        })
        .catch(forget),
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
