import { encodeAddress } from "@lamplight/codecs";
import { isTreeComplete, ledgerKindNumber, parseTreeState, treeCoverageOf } from "@lamplight/core";
import type { Connection, Row } from "../engine/connection.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";

/** Checks the list of incomplete trees against the trees' states. */
export const checkIncompleteTrees = (connection: Connection): readonly string[] => {
  const page = connection.prepare(
    "SELECT key, state FROM ledger WHERE kind = ? AND key > ? ORDER BY key LIMIT ?",
  );
  const isListed = connection.prepare(`SELECT 1 FROM incomplete_tree
WHERE tree = ? AND complete_through_seq = ? AND highest_seq = ? AND account_seq IS ?`);
  const problems: string[] = [];
  let wanted = 0;
  let after: Uint8Array = new Uint8Array(0);
  for (;;) {
    const rows = page.all(ledgerKindNumber("tree"), after, INTEGRITY_PAGE_ROWS);
    for (const [key, state] of rows as unknown as readonly [Uint8Array, string][]) {
      const tree = encodeAddress(key);
      const coverage = treeCoverageOf(tree, parseTreeState(state));
      if (isTreeComplete(coverage)) continue;
      wanted += 1;
      const { completeThroughSeq, highestSeq, accountSeq } = coverage;
      const row = isListed.get(key, completeThroughSeq, highestSeq, accountSeq);
      if (row === undefined && problems.length < PROBLEMS_MAX)
        problems.push(`tree ${tree} is listed wrongly among the incomplete ones`);
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) break;
    after = (rows.at(-1) as Row)[0] as Uint8Array;
  }
  const found = connection.readNumber("SELECT count(*) FROM incomplete_tree");
  if (found !== wanted) problems.push(`incomplete_tree has ${found} rows; the trees need ${wanted}`);
  return problems;
};
