import type { Connection } from "../engine/connection.ts";

const lastOfPageSql =
  "SELECT ifnull(max(id), 0), count(*) FROM (SELECT id FROM offchain WHERE id > ? ORDER BY id LIMIT ?)";

/** The end of one page of a walk over all documents. */
interface PageEnd {
  /** Number of its last row. */
  readonly last: number;
  /** The place to continue from; null at the end. */
  readonly next: string | null;
}

/** Prepares the search for the end of the page after a row. */
export const prepareFindLastOfPage = (connection: Connection): ((from: number, limit: number) => PageEnd) => {
  const findLast = connection.prepare(lastOfPageSql);
  return (from, limit) => {
    const [last, rows] = findLast.get(from, limit)!;
    return { last: Number(last), next: Number(rows) < limit ? null : String(last) };
  };
};
