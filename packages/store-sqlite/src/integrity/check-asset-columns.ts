import { foldName, jsonUriHash } from "../columns/asset-row.ts";
import type { Connection, Row } from "../engine/connection.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";

/** Holds what assets are searched by beside their facts equal to its derivation from the name and the URI. */
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
      problems.push(...wrongColumns(row).map((what) => `asset number ${row[0]}: its ${what}`));
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) return problems;
    after = (rows.at(-1) as Row)[0] as bigint;
  }
};

const wrongColumns = (row: Row): string[] => {
  const [name, jsonUri] = [row[1] as string, row[3] as string];
  const folded = foldName(name);
  const wrong = [];
  // Kept only where it differs from the name.
  if (row[2] !== (folded === name ? null : folded)) wrong.push("name is searched under another one");
  if (row[4] !== jsonUriHash(jsonUri)) wrong.push("URI is found by another one");
  return wrong;
};
