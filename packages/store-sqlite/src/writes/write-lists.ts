import { type ChangeSet, plainTables, roleNumber } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { prepareInsert } from "./insert-plain-row.ts";
import type { HeadDraft } from "./write-head.ts";
import { prepareWriteIncompleteTree } from "./write-incomplete-tree.ts";

/** The lists of a change set that are plain rows: links, editions, ledger states, slots seen. Removals come first. */
export const prepareWriteLists = (
  connection: Connection,
): ((changes: ChangeSet, head: HeadDraft) => void) => {
  const writeIncompleteTree = prepareWriteIncompleteTree(connection);
  const removeLink = connection.prepare("DELETE FROM link WHERE target = ? AND role = ? AND source = ?");
  const addLink = prepareInsert(connection, plainTables.links, "INSERT OR IGNORE");
  const removeEdition = connection.prepare("DELETE FROM edition WHERE address = ?");
  const addEdition = prepareInsert(connection, plainTables.editions);
  const putLedger = prepareInsert(connection, plainTables.ledger, "INSERT OR REPLACE");
  const putSeen = prepareInsert(
    connection,
    plainTables.assetsSeen,
    "INSERT",
    "ON CONFLICT (id) DO UPDATE SET slot = excluded.slot WHERE excluded.slot < slot",
  );
  return (changes, head) => {
    for (const link of changes.linksRemoved) removeLink.run(link.target, roleNumber(link.role), link.source);
    for (const link of changes.linksAdded) addLink(link);
    for (const address of changes.editionsRemoved) removeEdition.run(address);
    for (const edition of changes.editions) {
      // Its primary key begins with parent and number, which may change with a replacement.
      removeEdition.run(edition.address);
      addEdition(edition);
    }
    for (const one of changes.ledger) {
      putLedger(one);
      if (one.kind === "tree") writeIncompleteTree(one, head);
    }
    for (const seen of changes.assetsSeen) putSeen(seen);
  };
};
