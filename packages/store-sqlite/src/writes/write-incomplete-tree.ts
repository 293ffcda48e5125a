import { encodeAddress } from "@lamplight/codecs";
import { isTreeComplete, type LedgerState, parseTreeState, treeCoverageOf } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import type { HeadDraft } from "./write-head.ts";

/** Keeps the list of incomplete trees in sync with their ledger states; views read it again when it has changed. */
export const prepareWriteIncompleteTree = (
  connection: Connection,
): ((ledger: LedgerState, head: HeadDraft) => void) => {
  const put = connection.prepare(
    `INSERT INTO incomplete_tree (tree, complete_through_seq, highest_seq, account_seq) VALUES (?, ?, ?, ?)
ON CONFLICT (tree) DO UPDATE SET complete_through_seq = excluded.complete_through_seq,
highest_seq = excluded.highest_seq, account_seq = excluded.account_seq`,
  );
  const find = connection.prepare("SELECT 1 FROM incomplete_tree WHERE tree = ?");
  const remove = connection.prepare("DELETE FROM incomplete_tree WHERE tree = ?");
  return ({ key, state }, head) => {
    const coverage = treeCoverageOf(encodeAddress(key), parseTreeState(state));
    if (!isTreeComplete(coverage)) {
      put.run(key, coverage.completeThroughSeq, coverage.highestSeq, coverage.accountSeq);
    } else if (find.get(key) === undefined) return;
    else remove.run(key);
    head.settingsRevision += 1;
  };
};
