import { accountPartColumns, accountRowColumns, type ReadOf } from "@lamplight/core";
import type { Row, Statements } from "../engine/statements.ts";
import { DELEGATED_BYTES_MAX } from "../engine/settings.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { type ViewHead, viewHeadOf } from "./read-head.ts";

// One statement reads the head, a page of accounts and mints, as rows of the same columns. A column has another meaning
// in each kind of row:
//
// | Column          | Head row                   | Account row       | Mint row          |
// |-----------------|----------------------------|-------------------|-------------------|
// | `address`       | null                       | address           | address           |
// | `program`       | 1 = accounts are sent      | null              | number of program |
// | `lamports`      | `change_seq`               | lamports          | lamports          |
// | `slot`          | slot                       | slot              | slot              |
// | `write_version` | `settings_revision`        | write version     | write version     |
// | `flags`         | null                       | flags             | flags             |
// | `rent_epoch`    | `next_ordinal`             | rent epoch        | rent epoch        |
// | `data`          | `writer_id` as UTF-8       | data              | data              |
//
// Accounts need no program: it is that of the read. Two kinds of pages are not sent: a full one, because there may be
// more accounts than one statement brings, and one of more than `DELEGATED_BYTES_MAX`. Such a statement is never sent to
// a distributed store.

const headRow = `SELECT NULL::bytea AS address, (SELECT is_sent::integer FROM size) AS program, change_seq AS lamports,
slot, settings_revision AS write_version, NULL::smallint AS flags, next_ordinal AS rent_epoch,
convert_to(writer_id, 'UTF8') AS data FROM head WHERE id = 1`;
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
${headRow}
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

/** Columns at which the parts of an account's row begin. */
export const delegatedRowParts = { program: 1, parts: 2, data: 7 } as const;

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
  const isOfPage = (row: Row): boolean => row[delegatedRowParts.program] === null;
  return {
    head: headOf(head),
    page: head[delegatedRowParts.program] === 1 ? accounts.filter(isOfPage) : null,
    mints: accounts.filter((row) => !isOfPage(row)),
  };
};

const headOf = (row: Row): ViewHead => {
  const [, , changeSeq, slot, settingsRevision, , nextOrdinal, data] = row;
  const writer = Buffer.from(data as Uint8Array).toString("utf8");
  return viewHeadOf([slot, changeSeq, settingsRevision, nextOrdinal, writer]);
};
