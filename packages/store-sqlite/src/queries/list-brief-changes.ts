import {
  type BriefChange,
  type BriefFacts,
  interfaceOfNumber,
  ownerModelOfNumber,
  royaltyModelOfNumber,
  u64ToColumn,
} from "@lamplight/core";
import type { Connection, Row } from "../engine/connection.ts";

// Words, flags and what is asked of creators in one number: a column of its own for each would double the time of a
// fill, which reads every asset there is. Shifts bind no tighter than ORs in SQLite, hence the parentheses.
const packedSql = `interface | (owner_model << 8) | (royalty_model << 12) | (compressed << 16) | (compressible << 17)
  | (frozen << 18) | (burnt << 19) | coalesce((SELECT (max(verified) << 20) | (max(1 - verified) << 21)
    FROM asset_creator WHERE asset_creator.ord = asset.ord), 0)
  | ((supply IS ${u64ToColumn(0n)}) << 22) | ((supply IS ${u64ToColumn(1n)}) << 23)`;

const briefChangesSql = `SELECT ord, change_seq, ${packedSql}, created_slot, updated_slot, id
FROM asset WHERE change_seq > ? ORDER BY change_seq LIMIT ?`;

const removedSql =
  "SELECT ord, change_seq FROM asset_removed WHERE change_seq > ? ORDER BY change_seq LIMIT ?";

/** Changes and removals after a change number, in order, with what a new search index needs of each asset. */
export const prepareListBriefChanges = (
  connection: Connection,
): ((changeSeq: number, limit: number) => readonly BriefChange[]) => {
  const changed = connection.prepareSmall(briefChangesSql);
  const removed = connection.prepareSmall(removedSql);
  return (changeSeq, limit) => {
    const changes = changed.all(changeSeq, limit).map((row) => changeOf(row, factsOf(row)));
    const removals = removed.all(changeSeq, limit);
    if (removals.length === 0) return changes;
    for (const row of removals) changes.push(changeOf(row, null));
    return changes.toSorted((a, b) => a.changeSeq - b.changeSeq).slice(0, limit);
  };
};

const changeOf = (row: Row, facts: BriefFacts | null): BriefChange => ({
  ordinal: row[0] as number,
  changeSeq: row[1] as number,
  facts,
});

const factsOf = (row: Row): BriefFacts => {
  const packed = row[2] as number;
  const bit = (at: number): boolean => ((packed >>> at) & 1) === 1;
  return {
    id: row[5] as Uint8Array,
    interface: interfaceOfNumber(packed & 0xff),
    ownerModel: ownerModelOfNumber((packed >>> 8) & 0xf),
    royaltyModel: royaltyModelOfNumber((packed >>> 12) & 0xf),
    compressed: bit(16),
    compressible: bit(17),
    frozen: bit(18),
    burnt: bit(19),
    hasVerifiedCreator: bit(20),
    hasUnverifiedCreator: bit(21),
    supply: bit(22) ? 0n : bit(23) ? 1n : null,
    createdSlot: row[3] as number,
    updatedSlot: row[4] as number,
  };
};
