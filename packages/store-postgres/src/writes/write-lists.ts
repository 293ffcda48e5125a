import { encodeAddress } from "@lamplight/codecs";
import {
  type ChangeSet,
  isTreeComplete,
  type LedgerState,
  parseTreeState,
  plainTables,
  treeCoverageOf,
} from "@lamplight/core";
import { plainRows } from "../columns/plain-rows.ts";
import type { Element } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { bulkDelete, bulkInsert, bulkUpsert, runBulk } from "./bulk.ts";
import type { HeadDraft } from "./write-head.ts";

export const { columns: linkColumns, values: linkValues } = plainRows(plainTables.links);
export const { columns: editionColumns, values: editionValues } = plainRows(plainTables.editions);
export const { columns: ledgerColumns, values: ledgerValues } = plainRows(plainTables.ledger);
export const { columns: seenColumns, values: seenValues } = plainRows(plainTables.assetsSeen);

const deleteLinks = bulkDelete("link", linkColumns);
const insertLinks = bulkInsert("link", linkColumns, "ON CONFLICT DO NOTHING");
const deleteEditions = bulkDelete("edition", [["address", "bytea"]]);
const insertEditions = bulkInsert("edition", editionColumns);
const putLedger = bulkUpsert("ledger", ledgerColumns, ["key", "kind"]);
const putSeen = bulkInsert(
  "asset_seen",
  seenColumns,
  "ON CONFLICT (id) DO UPDATE SET slot = excluded.slot WHERE excluded.slot < asset_seen.slot",
);
const putIncomplete = bulkUpsert(
  "incomplete_tree",
  [
    ["tree", "bytea"],
    ["complete_through_seq", "bigint"],
    ["highest_seq", "bigint"],
    ["account_seq", "bigint"],
  ],
  ["tree"],
);
const deleteIncomplete = bulkDelete("incomplete_tree", [["tree", "bytea"]]);

/** The lists of a change set that are plain rows: links, editions, ledger states, slots seen. Removals come first. */
export const writeLists = async (session: Session, changes: ChangeSet, head: HeadDraft): Promise<void> => {
  const { linksRemoved, linksAdded, editions, editionsRemoved, ledger, assetsSeen } = changes;
  await Promise.all([
    runBulk(session, deleteLinks, linksRemoved.map(linkValues)),
    runBulk(session, insertLinks, linksAdded.map(linkValues)),
    // The primary key begins with parent and number, which may change with a replacement.
    runBulk(
      session,
      deleteEditions,
      [...editionsRemoved, ...editions.map(({ address }) => address)].map((address) => [address]),
    ),
    runBulk(session, insertEditions, editions.map(editionValues)),
    runBulk(session, putLedger, ledger.map(ledgerValues)),
    runBulk(session, putSeen, assetsSeen.map(seenValues)),
    writeIncompleteTrees(session, ledger, head),
  ]);
};

/** Keeps the list of incomplete trees in sync with their ledger states; views read it again when it has changed. */
export const writeIncompleteTrees = async (
  session: Session,
  ledger: readonly LedgerState[],
  head: HeadDraft,
): Promise<void> => {
  const complete: Element[][] = [];
  const incomplete: Element[][] = [];
  for (const { kind, key, state } of ledger) {
    if (kind !== "tree") continue;
    const coverage = treeCoverageOf(encodeAddress(key), parseTreeState(state));
    if (isTreeComplete(coverage)) complete.push([key]);
    else incomplete.push([key, coverage.completeThroughSeq, coverage.highestSeq, coverage.accountSeq]);
  }
  const [removed, put] = await Promise.all([
    runBulk(session, deleteIncomplete, complete),
    runBulk(session, putIncomplete, incomplete),
  ]);
  if (removed + put > 0) head.settingsRevision += 1;
};
