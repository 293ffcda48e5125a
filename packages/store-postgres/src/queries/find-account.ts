import { sameBytes } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  type AnswerTo,
  type BaseTokenAccount,
  accountRowColumns,
  codedBit,
  decodeAccountRow,
  decodeBaseTokenAccount,
  LISTED_TOGETHER_BYTES_MAX,
  ListedData,
  mintNeededBy,
  type ReadOf,
  STORED_BASE_BYTES,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { arrayParameter, unseenArray } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { LARGE_GROUP_BYTES_MAX, LARGE_GROUP_ROWS } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";
import { LARGE } from "./gathered.ts";
import { type FoundWithHead, qualified, VIEW_HEAD_WIDTH, viewHeadColumns, viewHeadOf } from "./read-head.ts";

const accountColumns = qualified("account", accountRowColumns);
/** The mint that a token account names, if this is one: its first 32 bytes, behind one control byte where they are coded. */
const mintOfRow = `substring(account.data FROM 1 + (account.flags & ${codedBit}) / ${codedBit} FOR 32)`;

/** One account with the head. */
export const accountStatements = {
  account: statement(`SELECT ${viewHeadColumns}, ${accountColumns}
FROM head LEFT JOIN account ON account.address = $1 WHERE head.id = 1`),
  accountWithMint: statement(`SELECT ${viewHeadColumns}, ${accountColumns},
mint.address, ${qualified("mint", accountRowColumns)}
FROM head LEFT JOIN account ON account.address = $1
LEFT JOIN account mint ON mint.address = ${mintOfRow} WHERE head.id = 1`),
} as const;

const accountNames = accountRowColumns.split(", ");
/** Columns at which the parts of such a row begin. */
const parts = {
  account: VIEW_HEAD_WIDTH,
  /** Followed by the rent epoch and the data. */
  flags: VIEW_HEAD_WIDTH + accountNames.indexOf("flags"),
  mintAddress: VIEW_HEAD_WIDTH + accountNames.length,
  mint: VIEW_HEAD_WIDTH + accountNames.length + 1,
} as const;

/** A living account and the head; null in a store that is not filled. */
export const findAccountWithHead = async (
  db: Statements,
  _known: unknown,
  { address }: ReadOf<"account">,
): Promise<FoundWithHead<Account | null> | null> => {
  const row = await db.get(accountStatements.account, address);
  if (row === undefined) return null;
  return { head: viewHeadOf(row), answerAt: ({ programs }) => accountIn(row, address, programs) };
};

/** The same with the mint that it names, if it is a token account. */
export const findMintWithHead = async (
  db: Statements,
  _known: unknown,
  { address }: ReadOf<"accountWithMint">,
): Promise<FoundWithHead<AnswerTo<"accountWithMint">> | null> => {
  const row = await db.get(accountStatements.accountWithMint, address);
  if (row === undefined) return null;
  return {
    head: viewHeadOf(row),
    answerAt: ({ programs }) => {
      const account = accountIn(row, address, programs);
      return account === null ? null : mintIn(row, account.value, programs);
    },
  };
};

/** Null where its program is not known. */
const accountIn = (
  row: Row,
  address: AddressBytes,
  programs: ProgramDictionary,
): { readonly value: Account | null } | null => {
  const program = row[parts.account] as number | null;
  if (program === null) return { value: null };
  if (!programs.knows(program)) return null;
  return { value: decodeAccountRow(Uint8Array.from(address), row, parts.account, programs.addressOf) };
};

/** Null where the mint that the account needs is another one than the statement looked for, or its program is not known. */
const mintIn = (
  row: Row,
  account: Account | null,
  programs: ProgramDictionary,
): { readonly value: AnswerTo<"accountWithMint"> } | null => {
  const needed = account === null ? null : mintNeededBy(account);
  if (needed === null) return { value: { account, mint: null } };
  if (!sameBytes(needed, mintAskedIn(row))) return null;
  const address = row[parts.mintAddress] as AddressBytes | null;
  if (address === null) return { value: { account, mint: null } };
  if (!programs.knows(row[parts.mint] as number)) return null;
  return { value: { account, mint: decodeAccountRow(address, row, parts.mint, programs.addressOf) } };
};

/** Address of the mint that the statement looked for. It may not exist. */
const mintAskedIn = (row: Row): AddressBytes => {
  const [flags, , data] = row.slice(parts.flags) as [number, unknown, Uint8Array];
  const at = (flags & codedBit) === 0 ? 0 : 1;
  return data.slice(at, at + 32);
};

const findStatement = statement(`SELECT ${accountRowColumns} FROM account WHERE address = $1`);

/** A living account by address; null where there is none. */
export const findAccount = async (
  db: Statements,
  programs: ProgramDictionary,
  address: AddressBytes,
): Promise<Account | null> => {
  const row = await db.get(findStatement, address);
  if (row === undefined) return null;
  const known = Uint8Array.from(address);
  return (await decodeAll(db, programs, [row], () => known, 0))[0] as Account;
};

/** The size of a value is known without reading it: data that are too large are not sent. */
const findAmongSql = (addresses: string): string =>
  `SELECT address, ${accountRowColumns.replace(
    /data$/u,
    "CASE WHEN octet_length(data) <= $2::bigint THEN data END",
  )} FROM account WHERE address = ANY (${addresses})`;
const findAmongStatement = statement(findAmongSql(unseenArray("$1", "bytea")), findAmongSql("$1::bytea[]"));

/** Living accounts in the order asked for; null where there is none. */
export const findAccounts = async (
  db: Statements,
  programs: ProgramDictionary,
  addresses: readonly AddressBytes[],
): Promise<readonly (Account | null)[]> => {
  const found = await findAmong(db, programs, addresses, LISTED_TOGETHER_BYTES_MAX);
  return withLarge(db, programs, addresses, found);
};

/**
 * Adds the accounts that were left out because of their size.
 *
 * @throws LamplightError `QUERY__OVER_BUDGET`
 */
export const withLarge = async <One extends Account | null>(
  db: Statements,
  programs: ProgramDictionary,
  addresses: readonly AddressBytes[],
  found: readonly (One | typeof LARGE)[],
): Promise<readonly One[]> => {
  const listed = new ListedData();
  const accounts = [...found];
  for (const account of found) if (account !== LARGE) listed.take(account);
  const left = [...found.keys()].filter((index) => found[index] === LARGE);
  for (let from = 0; from < left.length; from += LARGE_GROUP_ROWS) {
    const group = left.slice(from, from + LARGE_GROUP_ROWS);
    const asked = group.map((index) => addresses[index]!);
    const read = await findAmong(db, programs, asked, LARGE_GROUP_BYTES_MAX);
    for (const [at, index] of group.entries()) {
      const one = read[at]!;
      accounts[index] = listed.take(one === LARGE ? await findAccount(db, programs, asked[at]!) : one) as One;
    }
  }
  return accounts as readonly One[];
};

/** The same, with `LARGE` for accounts with more data than `bytesMax`. */
export const findAmong = async (
  db: Statements,
  programs: ProgramDictionary,
  addresses: readonly AddressBytes[],
  bytesMax: number,
): Promise<readonly (Account | null | typeof LARGE)[]> => {
  if (addresses.length === 0) return [];
  const rows = await db.all(findAmongStatement, arrayParameter("bytea", addresses), bytesMax);
  const whole = rows.filter((row) => row[dataAt] !== null);
  const accounts = await decodeAll(db, programs, whole, (row) => row[0] as AddressBytes, 1);
  const found = new Map<string, Account | typeof LARGE>(
    accounts.map((account) => [mapKeyOf(account.address), account]),
  );
  for (const row of rows) if (row[dataAt] === null) found.set(mapKeyOf(row[0] as AddressBytes), LARGE);
  return addresses.map((address) => found.get(mapKeyOf(address)) ?? null);
};

const dataAt = 1 + accountNames.indexOf("data");

/** The columns of an account, of its data only what a `BaseTokenAccount` has. */
export const baseRowColumns = accountRowColumns.replace(
  /data$/u,
  `substring(data FOR ${STORED_BASE_BYTES}) AS data`,
);
const findTokenAccountsSql = (addresses: string): string =>
  `SELECT address, ${baseRowColumns} FROM account WHERE address = ANY (${addresses})`;
const findTokenAccountsStatement = statement(
  findTokenAccountsSql(unseenArray("$1", "bytea")),
  findTokenAccountsSql("$1::bytea[]"),
);

/** Token accounts in the order of their addresses. All of them are there. */
export const findTokenAccounts = async (
  db: Statements,
  programs: ProgramDictionary,
  addresses: readonly AddressBytes[],
): Promise<readonly BaseTokenAccount[]> => {
  if (addresses.length === 0) return [];
  const rows = await db.all(findTokenAccountsStatement, arrayParameter("bytea", addresses));
  await programs.learn(
    db,
    rows.map((row) => row[1] as number),
  );
  const found = new Map(rows.map((row) => [mapKeyOf(row[0] as AddressBytes), baseAccountIn(row, programs)]));
  return addresses.map((address) => {
    const account = found.get(mapKeyOf(address));
    if (account === undefined) throw brokenInvariant("a holding is of an account");
    return account;
  });
};

/** @param row - an address, and `baseRowColumns` with a program that is known */
export const baseAccountIn = (row: Row, programs: ProgramDictionary): BaseTokenAccount => {
  const [address, program, , slot, , flags, , start] = row;
  return decodeBaseTokenAccount(
    Uint8Array.from(address as AddressBytes),
    programs.addressOf(program as number),
    Number(slot),
    flags as number,
    start as Uint8Array,
  );
};

const isClosedStatement = statement("SELECT 1 FROM tombstone WHERE address = $1");

/** Whether an account was stored and closed. */
export const isClosed = async (db: Statements, address: AddressBytes): Promise<boolean> =>
  (await db.get(isClosedStatement, address)) !== undefined;

/** Accounts in rows that have `accountRowColumns` from column `at` on. */
export const decodeAll = async (
  db: Statements,
  programs: ProgramDictionary,
  rows: readonly Row[],
  addressOf: (row: Row) => AddressBytes,
  at: number,
): Promise<Account[]> => {
  await programs.learn(
    db,
    rows.map((row) => row[at] as number),
  );
  return rows.map((row) => decodeAccountRow(addressOf(row), row, at, programs.addressOf));
};
