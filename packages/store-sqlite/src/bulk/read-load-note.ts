import { Connection } from "../engine/connection.ts";
import { READER_BUSY_MS } from "../engine/settings.ts";

/** An entry that `publish` put beside the rows; null when there is none. */
export const readLoadNote = (file: string, key: string): string | null => {
  const connection = new Connection(file, { readOnly: true, busyMs: READER_BUSY_MS });
  try {
    const row = connection.prepare("SELECT value FROM meta WHERE key = ?").get(key);
    return row === undefined ? null : String(row[0]);
  } finally {
    connection.close();
  }
};
