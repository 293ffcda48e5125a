import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";

const put = statement(
  "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
);

/** Inserts or replaces entries of the key-value table. */
export const putNotes = async (session: Session, notes: Readonly<Record<string, string>>): Promise<void> => {
  for (const [key, value] of Object.entries(notes)) await session.run(put, key, value);
};
