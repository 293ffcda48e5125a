import type { AddressBytes, NumberedAsset } from "@lamplight/core";
import type { NumberedRemoval, ShardRows } from "@lamplight/store-postgres";
import type { NumberedDelta } from "../numbered-delta.ts";
import { shardOf } from "../shard-of.ts";

/** The rows of one shard. States of trees are rows of the coordinator. */
export const rowsOfShard = (numbered: NumberedDelta, place: number, shards: number): ShardRows => {
  const { number, slot, changeSeq, nextOrdinal, delta } = numbered;
  const isHere = (key: AddressBytes): boolean => shardOf(key, shards) === place;
  const assets: NumberedAsset[] = [];
  const removals: NumberedRemoval[] = [];
  for (const [key, { id, asset }] of delta.assetChanges) {
    if (!isHere(id)) continue;
    const { removed, put } = numbered.numbers.get(key)!;
    if (removed !== null) removals.push({ id, ...removed });
    if (asset !== null && put !== null) assets.push({ ...asset, ...put });
  }
  return {
    number,
    slot,
    changeSeq,
    nextOrdinal,
    assets,
    removals,
    accounts: delta.accounts.filter(({ state }) => isHere(state.current.address)),
    linksAdded: delta.linksAdded.filter(({ target }) => isHere(target)),
    linksRemoved: delta.linksRemoved.filter(({ target }) => isHere(target)),
    ledger: delta.ledger.filter(({ kind, key }) => kind !== "tree" && isHere(key)),
    assetsSeen: delta.assetsSeen.filter(({ id }) => isHere(id)),
    editions: delta.editions.filter(({ parent }) => isHere(parent)),
    // The parent of a print may have changed: any shard may have its old row.
    editionsRemoved: [
      ...delta.editionsRemoved,
      ...delta.editions.filter(({ parent }) => !isHere(parent)).map(({ address }) => address),
    ],
  };
};
