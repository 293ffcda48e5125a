import { foldName, jsonUriHash } from "../columns/asset-row.ts";
import { textFromColumn } from "../columns/text-column.ts";
import type { Row, Session } from "../engine/session.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";

const assetPage = statement(
  "SELECT id, ord, name, folded_name, json_uri, json_uri_hash FROM asset WHERE id > $1 ORDER BY id LIMIT $2",
);

/** Holds what assets are searched by beside their facts equal to its derivation from the name and the URI. */
export const checkAssetColumns = async (session: Session): Promise<readonly string[]> => {
  const problems: string[] = [];
  let after = new Uint8Array(0);
  for (;;) {
    const rows = await session.all(assetPage, after, INTEGRITY_PAGE_ROWS);
    for (const row of rows) {
      if (problems.length >= PROBLEMS_MAX) return problems;
      problems.push(...wrongColumns(row).map((what) => `asset number ${row[1]}: its ${what}`));
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) return problems;
    after = rows.at(-1)?.[0] as Uint8Array<ArrayBuffer>;
  }
};

const wrongColumns = (row: Row): string[] => {
  const [name, jsonUri] = [textFromColumn(row[2]), textFromColumn(row[4])];
  const folded = foldName(name);
  const kept = row[3] === null ? null : textFromColumn(row[3]);
  const wrong = [];
  // Kept only where it differs from the name.
  if (kept !== (folded === name ? null : folded)) wrong.push("name is searched under another one");
  if (row[5] !== jsonUriHash(jsonUri)) wrong.push("URI is found by another one");
  return wrong;
};
