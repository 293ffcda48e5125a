import { assetRowProblems, checkedColumns } from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import type { Session } from "../engine/session.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";

const assetPage = statement(
  `SELECT id, ord, ${checkedColumns.join(", ")} FROM asset WHERE id > $1 ORDER BY id LIMIT $2`,
);

/** Checks that the columns that assets are searched by equal what follows from the facts. */
export const checkAssetColumns = async (session: Session): Promise<readonly string[]> => {
  const problems: string[] = [];
  let after = new Uint8Array(0);
  for (;;) {
    const rows = await session.all(assetPage, after, INTEGRITY_PAGE_ROWS);
    for (const row of rows) {
      if (problems.length >= PROBLEMS_MAX) return problems;
      const wrong = assetRowProblems(row, 2, columnForms);
      problems.push(...wrong.map((what) => `asset number ${row[1] as bigint}: its ${what}`));
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) return problems;
    after = rows.at(-1)?.[0] as Uint8Array<ArrayBuffer>;
  }
};
