import { encodeAddress } from "@lamplight/codecs";
import { isTreeComplete, ledgerKindNumber, parseTreeState, treeCoverageOf } from "@lamplight/core";
import type { Row, Session } from "../engine/session.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";

const statePage = statement(
  "SELECT key, state FROM ledger WHERE kind = $1 AND key > $2 ORDER BY key LIMIT $3",
);
const findListed = statement(
  "SELECT complete_through_seq, highest_seq, account_seq FROM incomplete_tree WHERE tree = $1",
);
const countListed = statement("SELECT count(*) FROM incomplete_tree");

/** Checks the list of incomplete trees against the trees' states. */
export const checkIncompleteTrees = async (session: Session): Promise<readonly string[]> => {
  const problems: string[] = [];
  let wanted = 0;
  let after = new Uint8Array(0);
  for (;;) {
    const rows = await session.all(statePage, ledgerKindNumber("tree"), after, INTEGRITY_PAGE_ROWS);
    for (const row of rows) {
      const tree = encodeAddress(row[0] as Uint8Array);
      const coverage = treeCoverageOf(tree, parseTreeState(row[1] as string));
      if (isTreeComplete(coverage)) continue;
      wanted += 1;
      if (
        !isListed(await session.get(findListed, row[0] as Uint8Array), coverage) &&
        problems.length < PROBLEMS_MAX
      )
        problems.push(`tree ${tree} is listed wrongly among the incomplete ones`);
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) break;
    after = rows.at(-1)?.[0] as Uint8Array<ArrayBuffer>;
  }
  const found = Number((await session.get(countListed))?.[0]);
  if (found !== wanted) problems.push(`incomplete_tree has ${found} rows; the trees need ${wanted}`);
  return problems;
};

const isListed = (row: Row | undefined, wanted: ReturnType<typeof treeCoverageOf>): boolean =>
  row !== undefined &&
  Number(row[0]) === wanted.completeThroughSeq &&
  Number(row[1]) === wanted.highestSeq &&
  (row[2] === null ? null : Number(row[2])) === wanted.accountSeq;
