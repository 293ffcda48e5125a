import { type ChangeSet, u64ToColumn } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { ledgerKindNumber } from "../queries/read-ledger.ts";
import { roleNumber } from "../queries/read-links.ts";
import type { HeadDraft } from "./write-head.ts";
import { prepareWriteIncompleteTree } from "./write-incomplete-tree.ts";

/** The lists of a change set that are plain rows: links, editions, ledger states, slots seen. Removals come first. */
export const prepareWriteLists = (
  connection: Connection,
): ((changes: ChangeSet, head: HeadDraft) => void) => {
  const writeIncompleteTree = prepareWriteIncompleteTree(connection);
  const removeLink = connection.prepare("DELETE FROM link WHERE target = ? AND role = ? AND source = ?");
  const addLink = connection.prepare("INSERT OR IGNORE INTO link (target, role, source) VALUES (?, ?, ?)");
  const removeEdition = connection.prepare("DELETE FROM edition WHERE address = ?");
  const addEdition = connection.prepare(
    "INSERT INTO edition (address, parent, mint, number) VALUES (?, ?, ?, ?)",
  );
  const putLedger = connection.prepare(
    "INSERT OR REPLACE INTO ledger (kind, key, tree, state) VALUES (?, ?, ?, ?)",
  );
  const putSeen = connection.prepare(
    "INSERT INTO asset_seen (id, slot) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET slot = excluded.slot WHERE excluded.slot < slot",
  );
  return (changes, head) => {
    for (const link of changes.linksRemoved) removeLink.run(link.target, roleNumber(link.role), link.source);
    for (const link of changes.linksAdded) addLink.run(link.target, roleNumber(link.role), link.source);
    for (const address of changes.editionsRemoved) removeEdition.run(address);
    for (const edition of changes.editions) {
      // Its primary key begins with parent and number, which may change with a replacement.
      removeEdition.run(edition.address);
      addEdition.run(edition.address, edition.parent, edition.mint, u64ToColumn(edition.number));
    }
    for (const one of changes.ledger) {
      putLedger.run(ledgerKindNumber(one.kind), one.key, one.tree, one.state);
      if (one.kind === "tree") writeIncompleteTree(one, head);
    }
    for (const seen of changes.assetsSeen) putSeen.run(seen.id, seen.slot);
  };
};
