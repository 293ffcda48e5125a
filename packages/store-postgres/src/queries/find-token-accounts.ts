import { type BaseTokenAccount, type HolderOrder, type HolderPage, type ReadOf } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { baseAccountIn, baseRowColumns } from "./find-account.ts";
import { accountRowParts as parts, headOfRow, headRowSql } from "./head-among-accounts.ts";
import { holderLists, holderListValues } from "./list-holders.ts";
import type { FoundWithHead, KnownBefore } from "./read-head.ts";

// `LIMIT 1` keeps the planner to one lookup for each row: an address has at most one account.
const accountOf = (tokenAccount: string): string =>
  `(SELECT address, ${baseRowColumns} FROM account WHERE account.address = ${tokenAccount} LIMIT 1) AS held`;

/** The number in the row of the head is that of the holdings. Where it is the limit, no account is sent. */
const heldStatement = (more: string): Statement =>
  statement(`WITH few AS MATERIALIZED (
SELECT token_account, positive FROM holding WHERE token_owner = $1${more} ORDER BY mint, token_account LIMIT $2)
${headRowSql("(SELECT count(*)::integer FROM few)")}
UNION ALL SELECT held.* FROM few CROSS JOIN LATERAL ${accountOf("few.token_account")}
WHERE (few.positive OR $3) AND (SELECT count(*) FROM few) < $2`);

/** Columns of the row that follows the head: its number of positive accounts, and of empty ones. */
const holderCountParts = { positive: 2, empty: 6 } as const;

const holderStatement = (list: Statement, order: string): Statement =>
  statement(`${headRowSql("0")}
UNION ALL SELECT NULL, NULL, positive, NULL, NULL, NULL, empty, NULL FROM holder_count WHERE mint = $1
UNION ALL (SELECT held.* FROM (${list.text}) AS few CROSS JOIN LATERAL ${accountOf("few.token_account")}
ORDER BY ${order})`);

const { address, amount } = holderLists;

const holderPages: Readonly<
  Record<HolderOrder["sort"], Readonly<Record<HolderOrder["direction"], Statement>>>
> = {
  address: {
    asc: holderStatement(address.asc, "few.token_account"),
    desc: holderStatement(address.desc, "few.token_account DESC"),
  },
  amount: {
    asc: holderStatement(amount.asc, "few.amount, few.token_account"),
    desc: holderStatement(amount.desc, "few.amount DESC, few.token_account DESC"),
  },
};

export const tokenAccountStatements = {
  ofWallet: heldStatement(""),
  ofWalletAndMint: heldStatement(" AND mint = $4"),
  byAddress: holderPages.address.asc,
  byAddressFalling: holderPages.address.desc,
  byAmount: holderPages.amount.asc,
  byAmountFalling: holderPages.amount.desc,
} as const;

/** Null in a store that is not filled or has no such index, and where a program is not known. */
export const findHeldWithHead = async (
  db: Statements,
  { programs }: KnownBefore,
  { query: { tokenOwner, mint, showsEmpty, limit } }: ReadOf<"heldAccounts">,
): Promise<FoundWithHead<readonly BaseTokenAccount[] | null> | null> => {
  const [head, ...rows] =
    mint === null
      ? await db.views(tokenAccountStatements.ofWallet, tokenOwner, limit + 1, showsEmpty)
      : await db.views(tokenAccountStatements.ofWalletAndMint, tokenOwner, limit + 1, showsEmpty, mint);
  const accounts = accountsIn(rows, programs);
  if (!isHead(head) || accounts === null) return null;
  const areMore = (head[parts.program] as number) > limit;
  return {
    head: headOfRow(head),
    answerAt: ({ settings, programs: ofHead }) =>
      settings.holdings && ofHead === programs ? { value: areMore ? null : accounts } : null,
  };
};

/** The same. Null also for a list by address that shows empty accounts: it is of two ranges of the index. */
export const findHolderPageWithHead = async (
  db: Statements,
  { programs }: KnownBefore,
  { query }: ReadOf<"holderPage">,
): Promise<FoundWithHead<HolderPage> | null> => {
  const { sort, direction, showsEmpty } = query;
  if (sort === "address" && showsEmpty) return null;
  const [head, ...rows] = await db.views(holderPages[sort][direction], ...holderListValues(query, true));
  // A mint without token accounts has no row of numbers.
  const numbers = rows[0]?.[0] === null ? rows.shift() : undefined;
  const accounts = accountsIn(rows, programs);
  if (!isHead(head) || accounts === null) return null;
  const count = {
    positive: Number(numbers?.[holderCountParts.positive] ?? 0),
    empty: Number(numbers?.[holderCountParts.empty] ?? 0),
  };
  return {
    head: headOfRow(head),
    answerAt: ({ settings, programs: ofHead }) =>
      settings.holders && ofHead === programs ? { value: { count, accounts } } : null,
  };
};

const isHead = (row: Row | undefined): row is Row => row !== undefined && row[0] === null;

/** Null where a program is not known. */
const accountsIn = (rows: readonly Row[], programs: ProgramDictionary): readonly BaseTokenAccount[] | null =>
  rows.every((row) => programs.knows(row[parts.program] as number))
    ? rows.map((row) => baseAccountIn(row, programs))
    : null;
