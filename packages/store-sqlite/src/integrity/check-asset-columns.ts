import { assetRowProblems, checkedColumns } from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import type { Connection, Row } from "../engine/connection.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";

/** Checks that the columns that assets are searched by equal what follows from the facts. */
export const checkAssetColumns = (connection: Connection): readonly string[] => {
  const page = connection.prepare(
    `SELECT ord, ${checkedColumns.join(", ")} FROM asset WHERE ord > ? ORDER BY ord LIMIT ?`,
  );
  const problems: string[] = [];
  let after: bigint = -1n;
  for (;;) {
    const rows = page.all(after, INTEGRITY_PAGE_ROWS);
    for (const row of rows) {
      if (problems.length >= PROBLEMS_MAX) return problems;
      const wrong = assetRowProblems(row, 1, columnForms);
      problems.push(...wrong.map((what) => `asset number ${row[0] as bigint}: its ${what}`));
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) return problems;
    after = (rows.at(-1) as Row)[0] as bigint;
  }
};
