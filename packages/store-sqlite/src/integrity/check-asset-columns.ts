import { assetRowProblems } from "@lamplight/core";
import type { Connection, Row } from "../engine/connection.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";

/** Checks that the columns that assets are searched by equal what follows from the name and the URI. */
export const checkAssetColumns = (connection: Connection): readonly string[] => {
  const page = connection.prepare(
    "SELECT ord, name, folded_name, json_uri, json_uri_hash FROM asset WHERE ord > ? ORDER BY ord LIMIT ?",
  );
  const problems: string[] = [];
  let after: bigint = -1n;
  for (;;) {
    const rows = page.all(after, INTEGRITY_PAGE_ROWS);
    for (const row of rows) {
      if (problems.length >= PROBLEMS_MAX) return problems;
      const [ordinal, name, folded, jsonUri, hash] = row as [bigint, string, string | null, string, bigint];
      const wrong = assetRowProblems(name, folded, jsonUri, hash);
      problems.push(...wrong.map((what) => `asset number ${ordinal}: its ${what}`));
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) return problems;
    after = (rows.at(-1) as Row)[0] as bigint;
  }
};
