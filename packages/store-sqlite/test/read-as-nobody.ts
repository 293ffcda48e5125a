// Reads a store as an account that can write nothing there, each time it is asked, and says what it sees.
import { createInterface } from "node:readline";
import { isLamplightError } from "@lamplight/errors";
import { openSqliteReader, type SqliteReader } from "../src/reader/open-sqlite-reader.ts";

const NOBODY = 65_534;

// The superuser may write everywhere.
if (process.getuid?.() === 0) process.seteuid?.(NOBODY);
let reader: SqliteReader | null = null;

const look = async (): Promise<string> => {
  try {
    reader ??= openSqliteReader({ file: process.argv[2] as string });
    const view = await reader.openView("finalized");
    try {
      return `slot ${view.slot} of ${(await view.index.readAccountPage(null, 100)).length}, immutable ${reader.isImmutable}`;
    } finally {
      view.close();
    }
  } catch (error) {
    return isLamplightError(error) ? error.message : String(error);
  }
};

createInterface({ input: process.stdin }).on("line", () => void look().then(console.log));
