import {
  type BriefChange,
  type BriefFacts,
  closedCriteria,
  type Criterion,
  factCellOf,
  factColumnOf,
  factDescriptions,
  isFactCriterion,
} from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import type { Connection, Row } from "../engine/connection.ts";

const bitsSql = (criterion: Criterion, place: number): readonly string[] => {
  if (!isFactCriterion(criterion)) return [];
  const { name } = factColumnOf(criterion);
  const cell = factCellOf(criterion, columnForms);
  if (factDescriptions[criterion.kind].isOpen) return [`((${name} IS ${cell}) << ${place})`];
  // The bits of the other values follow in the order of their numbers.
  return cell === 0 ? [`(1 << (${name} + ${place}))`] : [];
};

const verifiedPlace = (asked: boolean): number =>
  closedCriteria.findIndex(
    (criterion) => criterion.kind === "creatorVerified" && criterion.verified === asked,
  );

// All closed criteria in one number: a column of its own for each would double the time of a fill, which reads every
// asset there is. Shifts bind no tighter than ORs in SQLite, hence the parentheses.
const closedSql = [
  ...closedCriteria.flatMap(bitsSql),
  `coalesce((SELECT (max(verified) << ${verifiedPlace(true)}) | (max(1 - verified) << ${verifiedPlace(false)})
    FROM asset_creator WHERE asset_creator.ord = asset.ord), 0)`,
].join(" | ");

const briefChangesSql = `SELECT ord, change_seq, ${closedSql}, created_slot, updated_slot, id
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

const factsOf = (row: Row): BriefFacts => ({
  id: row[5] as Uint8Array,
  closed: row[2] as number,
  createdSlot: row[3] as number,
  updatedSlot: row[4] as number,
});
