import { encodeAddress } from "@lamplight/codecs";
import {
  type ChangeSet,
  type Edition,
  isTreeComplete,
  type LedgerState,
  type Link,
  parseTreeState,
  treeCoverageOf,
  u64ToColumn,
} from "@lamplight/core";
import type { Element } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { ledgerKindNumber, roleNumber } from "../queries/read-lists.ts";
import { bulkDelete, bulkInsert, bulkUpsert, type Columns, runBulk } from "./bulk.ts";
import type { HeadDraft } from "./write-head.ts";

export const linkColumns: Columns = [
  ["target", "bytea"],
  ["role", "smallint"],
  ["source", "bytea"],
];
const deleteLinks = bulkDelete("link", linkColumns);
const insertLinks = bulkInsert("link", linkColumns, "ON CONFLICT DO NOTHING");
const deleteEditions = bulkDelete("edition", [["address", "bytea"]]);
export const editionColumns: Columns = [
  ["parent", "bytea"],
  ["number", "bigint"],
  ["address", "bytea"],
  ["mint", "bytea"],
];
const insertEditions = bulkInsert("edition", editionColumns);
export const ledgerColumns: Columns = [
  ["kind", "smallint"],
  ["key", "bytea"],
  ["tree", "bytea"],
  ["state", "text"],
];
const putLedger = bulkUpsert("ledger", ledgerColumns, ["key", "kind"]);
export const seenColumns: Columns = [
  ["id", "bytea"],
  ["slot", "bigint"],
];
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

export const linkValues = ({ target, role, source }: Link): Element[] => [target, roleNumber(role), source];

export const editionValues = ({ parent, number, address, mint }: Edition): Element[] => [
  parent,
  u64ToColumn(number),
  address,
  mint,
];

export const ledgerValues = ({ kind, key, tree, state }: LedgerState): Element[] => [
  ledgerKindNumber(kind),
  key,
  tree,
  state,
];

export const seenValues = ({ id, slot }: ChangeSet["assetsSeen"][number]): Element[] => [id, slot];
