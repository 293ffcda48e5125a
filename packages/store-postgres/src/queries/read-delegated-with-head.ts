import { accountPartColumns, accountRowColumns, type ReadOf } from "@lamplight/core";
import type { Row, Statements } from "../engine/statements.ts";
import { DELEGATED_BYTES_MAX } from "../engine/settings.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { accountRowParts, headOfRow, headRowSql } from "./head-among-accounts.ts";
import type { ViewHead } from "./read-head.ts";

// The number in the row of the head is 1 where accounts are sent. Accounts have no program: it is that of the read. The rows
// of mints come last. Two kinds of pages are not sent: a full one, because there may be more accounts than one statement
// brings, and one of more than `DELEGATED_BYTES_MAX`.

const isSent = "(SELECT is_sent FROM size)";
const bytesOf = "coalesce(sum(octet_length(data)), 0)";

/**
 * @param accounts - condition of those of the page. To read them twice by an index costs less than to keep them
 * @param mints - array of addresses
 */
const delegatedStatement = (accounts: string, mints: string | null): Statement => {
  const ofMints = `account WHERE address = ANY (${mints})`;
  const [mintBytes, mintRows] =
    mints === null
      ? ["", ""]
      : [
          ` + (SELECT ${bytesOf} FROM ${ofMints})`,
          `
UNION ALL SELECT address, ${accountRowColumns} FROM ${ofMints} AND ${isSent}`,
        ];
  // The page comes in the order of an index, whose expression this is.
  return statement(`WITH size AS MATERIALIZED (
SELECT CASE WHEN count(*) < $3 THEN ${bytesOf}${mintBytes} <= ${DELEGATED_BYTES_MAX} ELSE false END AS is_sent
FROM (SELECT data FROM account WHERE ${accounts} LIMIT $3) page)
${headRowSql("(SELECT is_sent::integer FROM size)")}
UNION ALL (SELECT address, NULL::integer, ${accountPartColumns}, data FROM account
WHERE ${accounts} AND ${isSent} ORDER BY address || ''::bytea LIMIT $3)${mintRows}`);
};

const ofProgram = "delegate = $1 AND program = $2";
const ofMint =
  "delegate || delegate_mint = $1 AND program = (SELECT program FROM account WHERE address = $2)";

export const delegatedStatements = {
  ofProgram: delegatedStatement(ofProgram, null),
  ofProgramWithMints: delegatedStatement(
    ofProgram,
    `ARRAY(SELECT delegate_mint FROM account WHERE ${ofProgram})`,
  ),
  ofMint: delegatedStatement(ofMint, "ARRAY[$2]"),
} as const;

export interface DelegatedRows {
  readonly head: ViewHead;
  /** Ascending by address; null = full, or too many bytes. Views of bytes, to be used at once. */
  readonly page: readonly Row[] | null;
  readonly mints: readonly Row[];
}

/**
 * Undefined in a store that is not filled.
 *
 * @param program - number of the token program, where it is what was asked for
 */
export const readDelegated = async (
  db: Statements,
  { delegate, by, limit, withMints }: ReadOf<"delegated">,
  program: number | undefined,
): Promise<DelegatedRows | undefined> => {
  const [head, ...accounts] = await (program === undefined
    ? db.views(delegatedStatements.ofMint, Buffer.concat([delegate, by.address]), by.address, limit)
    : db.views(
        delegatedStatements[withMints ? "ofProgramWithMints" : "ofProgram"],
        delegate,
        program,
        limit,
      ));
  if (head === undefined || head[0] !== null) return undefined;
  return {
    head: headOfRow(head),
    page: head[accountRowParts.program] === 1 ? accounts.filter(isOfPage) : null,
    mints: accounts.filter((row) => !isOfPage(row)),
  };
};

const isOfPage = (row: Row): boolean => row[accountRowParts.program] === null;
