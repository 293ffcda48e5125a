import { sameBytes } from "@lamplight/codecs";
import {
  type Account,
  accountRowColumns,
  type AddressBytes,
  codedBit,
  decodeAccountRow,
  type EditionPage,
  type EditionStart,
  masterAddressOf,
  masterEditionIn,
  type ReadOf,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { accountRowParts as parts, headOfRow, headRowSql } from "./head-among-accounts.ts";
import type { FoundWithHead } from "./read-head.ts";

// Rows in this order: the head, the numbers of the list, accounts, prints.

/** Bytes of control before the data of an account, where they are coded. */
const controls = `(flags & ${codedBit}) / ${codedBit}`;
const parent = "(SELECT address FROM parent)";
const prints =
  "SELECT address, NULL::integer, number, NULL::bigint, NULL::bigint, NULL::smallint, NULL::bigint, mint";

/** Columns of the row of numbers; its address is that at which the master edition was looked for. */
const numbers = { hasRest: 1, count: 2 } as const;
/** Columns of a print. */
const printParts = { address: 0, number: 2, mint: 7 } as const;

/**
 * @param list - of prints, ascending or descending
 * @param more - further common tables
 * @param rest - a condition: whether prints follow that the list does not reach
 */
const pageStatement = (list: string, more = "", rest = "false"): Statement =>
  statement(`WITH own AS MATERIALIZED (SELECT address, ${accountRowColumns} FROM account WHERE address = $1::bytea),
parent AS MATERIALIZED (SELECT coalesce((SELECT substring(data FROM 2 + ${controls} FOR 32) FROM own
WHERE substring(data FROM 1 + ${controls} FOR 1) = '\\x01'), $1::bytea) AS address),
counted AS MATERIALIZED (SELECT count(*) AS prints FROM edition WHERE parent = ${parent})${more}
${headRowSql("0")}
UNION ALL SELECT address, (${rest})::integer, (SELECT prints FROM counted), NULL, NULL, NULL, NULL, NULL FROM parent
UNION ALL SELECT * FROM own
UNION ALL SELECT address, ${accountRowColumns} FROM account WHERE address = ${parent} AND address <> $1
UNION ALL (${list})`);

/** A page of prints with the head, by where it begins. */
export const editionPageStatements: Readonly<Record<EditionStart["kind"], Statement>> = {
  // Rows are skipped by the key alone, which is a tenth of the work of reading each.
  offset: pageStatement(
    `${prints} FROM edition WHERE parent = ${parent}
AND (number, address) >= ((SELECT number FROM first), (SELECT address FROM first))
ORDER BY number, address LIMIT $3`,
    `,
first AS MATERIALIZED (SELECT number, address FROM edition WHERE parent = ${parent}
AND $2 < (SELECT prints FROM counted) ORDER BY number, address LIMIT 1 OFFSET $2)`,
  ),
  after: pageStatement(
    `${prints} FROM edition WHERE parent = ${parent} AND number > $2 ORDER BY number, address LIMIT $3`,
  ),
  before: pageStatement(
    `${prints} FROM edition WHERE parent = ${parent} AND number < $2
ORDER BY number DESC, address DESC LIMIT $3`,
    "",
    `EXISTS (SELECT FROM edition WHERE parent = ${parent} AND number >= $2)`,
  ),
};

/** Null in a store that is not filled. */
export const findEditionPageWithHead = async (
  db: Statements,
  _known: unknown,
  { address: own, start, limit }: ReadOf<"editionPage">,
): Promise<FoundWithHead<EditionPage> | null> => {
  const from = start.kind === "offset" ? start.offset : u64ToColumn(start.number);
  const wanted = start.kind === "before" ? limit : limit + 1;
  const [head, found, ...rows] = await db.all(editionPageStatements[start.kind], own, from, wanted);
  if (head === undefined || head[0] !== null || found === undefined) return null;
  const areAccounts = rows.map((row) => row[parts.program] !== null);
  const accounts = rows.filter((_, index) => areAccounts[index]);
  const ascending = rows.filter((_, index) => !areAccounts[index]);
  if (start.kind === "before") ascending.reverse();
  return {
    head: headOfRow(head),
    answerAt: ({ programs }) => {
      if (!accounts.every((row) => programs.knows(row[parts.program] as number))) return null;
      const accountAt = accountsOf(accounts, programs);
      const address = masterAddressOf(own, accountAt(own));
      // The first bytes of a coded account need not be those of its data.
      if (!sameBytes(address, found[0] as AddressBytes)) return null;
      const master = masterEditionIn(accountAt(address));
      if (master === null) return { value: { master, count: 0, editions: [], hasMore: false } };
      const page = ascending.slice(0, limit);
      return {
        value: {
          master,
          count: Number(found[numbers.count]),
          editions: page.map((row) => printOf(row, address)),
          hasMore: found[numbers.hasRest] === 1 || ascending.length > limit,
        },
      };
    },
  };
};

const accountsOf =
  (rows: readonly Row[], { addressOf }: ProgramDictionary) =>
  (address: AddressBytes): Account | null => {
    const row = rows.find((one) => sameBytes(one[0] as AddressBytes, address));
    return row === undefined ? null : decodeAccountRow(address, row, parts.program, addressOf);
  };

const printOf = (row: Row, of: AddressBytes): EditionPage["editions"][number] => ({
  address: row[printParts.address] as AddressBytes,
  parent: of,
  mint: row[printParts.mint] as AddressBytes,
  number: u64FromColumn(row[printParts.number] as bigint),
});
