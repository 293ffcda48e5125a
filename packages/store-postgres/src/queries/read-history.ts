import type { Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

const listWriters = statement("SELECT id, change_seq FROM writer_history ORDER BY epoch");

/**
 * Each opening for writing continues what the previous one wrote. An opening that is not listed belongs to another
 * history, or is so old that it counts as one.
 */
export const isPartOfHistory = async (
  db: Statements,
  writer: string,
  changeSeq: number,
): Promise<boolean> => {
  const rows = await db.all(listWriters);
  const index = rows.findIndex(([id]) => id === writer);
  if (index === -1) return false;
  const next = rows[index + 1];
  return next === undefined || Number(next[1]) >= changeSeq;
};
