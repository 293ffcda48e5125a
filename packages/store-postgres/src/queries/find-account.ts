import { type Account, type AddressBytes, accountRowColumns, decodeAccountRow } from "@lamplight/core";
import { mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";

const findStatement = statement(`SELECT ${accountRowColumns} FROM account WHERE address = $1`);

/** A living account by address; null where there is none. */
export const findAccount = async (
  session: Session,
  programs: ProgramDictionary,
  address: AddressBytes,
): Promise<Account | null> => {
  const row = await session.get(findStatement, address);
  if (row === undefined) return null;
  const known = Uint8Array.from(address);
  return (await decodeAll(session, programs, [row], () => known, 0))[0] as Account;
};

const findAmongStatement = statement(
  `SELECT address, ${accountRowColumns} FROM account WHERE address = ANY ($1::bytea[])`,
);

/** Living accounts in the order asked for; null where there is none. */
export const findAccounts = async (
  session: Session,
  programs: ProgramDictionary,
  addresses: readonly AddressBytes[],
): Promise<readonly (Account | null)[]> => {
  if (addresses.length === 0) return [];
  const rows = await session.all(findAmongStatement, arrayParameter("bytea", addresses));
  const accounts = await decodeAll(session, programs, rows, (row) => row[0] as AddressBytes, 1);
  const found = new Map(accounts.map((account) => [mapKeyOf(account.address), account]));
  return addresses.map((address) => found.get(mapKeyOf(address)) ?? null);
};

const isClosedStatement = statement("SELECT 1 FROM tombstone WHERE address = $1");

/** Whether an account was stored and closed. */
export const isClosed = async (session: Session, address: AddressBytes): Promise<boolean> =>
  (await session.get(isClosedStatement, address)) !== undefined;

/** Accounts in rows that have `accountRowColumns` from column `at` on. */
export const decodeAll = async (
  session: Session,
  programs: ProgramDictionary,
  rows: readonly Row[],
  addressOf: (row: Row) => AddressBytes,
  at: number,
): Promise<Account[]> => {
  await programs.learn(
    session,
    rows.map((row) => row[at] as number),
  );
  return rows.map((row) => decodeAccountRow(addressOf(row), row, at, programs.addressOf));
};
