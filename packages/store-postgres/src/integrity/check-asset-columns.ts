import { assetRowProblems } from "@lamplight/core";
import { textFromColumn } from "../columns/text-column.ts";
import type { Session } from "../engine/session.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";

const assetPage = statement(
  "SELECT id, ord, name, folded_name, json_uri, json_uri_hash FROM asset WHERE id > $1 ORDER BY id LIMIT $2",
);

/** Checks that the columns that assets are searched by equal what follows from the name and the URI. */
export const checkAssetColumns = async (session: Session): Promise<readonly string[]> => {
  const problems: string[] = [];
  let after = new Uint8Array(0);
  for (;;) {
    const rows = await session.all(assetPage, after, INTEGRITY_PAGE_ROWS);
    for (const row of rows) {
      if (problems.length >= PROBLEMS_MAX) return problems;
      const [, ordinal, name, folded, jsonUri, hash] = row;
      const foldedText = folded === null ? null : textFromColumn(folded);
      const wrong = assetRowProblems(textFromColumn(name), foldedText, textFromColumn(jsonUri), hash);
      problems.push(...wrong.map((what) => `asset number ${ordinal}: its ${what}`));
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) return problems;
    after = rows.at(-1)?.[0] as Uint8Array<ArrayBuffer>;
  }
};
