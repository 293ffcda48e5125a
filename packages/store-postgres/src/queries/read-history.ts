import type { Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

const listWriters = statement("SELECT id, change_seq FROM writer_history ORDER BY epoch");

/**
 * The newest change of an opening for writing, see `StoreHistory`. Each opening continues what the previous one wrote. One
 * that is not listed belongs to another history, or is so old that it counts as one.
 */
export const readWrittenThrough = async (db: Statements, writer: string): Promise<number | null> => {
  const rows = await db.all(listWriters);
  const index = rows.findIndex(([id]) => id === writer);
  if (index === -1) return null;
  const next = rows[index + 1];
  return next === undefined ? Infinity : Number(next[1]);
};
