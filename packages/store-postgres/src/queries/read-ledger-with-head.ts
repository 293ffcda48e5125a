import { type AnswerTo, ledgerKindNumber, type ReadOf } from "@lamplight/core";
import type { Row, Statements } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { arrayParameter, unseenArray } from "../engine/array-parameter.ts";
import { type FoundWithHead, VIEW_HEAD_WIDTH, viewHeadColumns, viewHeadOf } from "./read-head.ts";
import { ledgerIn } from "./read-lists.ts";

const ledgerStatement = (keys: string): Statement =>
  statement(`SELECT ${viewHeadColumns}, ledger.key, ledger.tree, ledger.state
FROM head LEFT JOIN ledger ON ledger.kind = $1 AND ledger.key ${keys} WHERE head.id = 1`);

export const ledgerStatements = {
  ledger: ledgerStatement("= $2"),
  ledgers: ledgerStatement(`= ANY (${unseenArray("$2", "bytea")})`),
} as const;

/** Compression states with the head; null in a store that is not filled. */
export const readLedgerWithHead = async (
  db: Statements,
  _known: unknown,
  asked: ReadOf<"ledger">,
): Promise<FoundWithHead<AnswerTo<"ledger">> | null> => {
  const rows = await readRows(db, asked);
  const [head] = rows;
  if (head === undefined) return null;
  const states = rows.map((row) => row.slice(VIEW_HEAD_WIDTH)).filter(([key]) => key !== null);
  return { head: viewHeadOf(head), answerAt: () => ({ value: ledgerIn(states, asked.of, asked.keys) }) };
};

/** The head in front of each compression state that is there, and alone where none is. */
const readRows = (db: Statements, { of, keys }: ReadOf<"ledger">): Promise<readonly Row[]> => {
  const kind = ledgerKindNumber(of);
  const [first] = keys;
  return first !== undefined && keys.length === 1
    ? db.all(ledgerStatements.ledger, kind, first)
    : db.all(ledgerStatements.ledgers, kind, arrayParameter("bytea", keys));
};
