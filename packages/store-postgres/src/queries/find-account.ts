import { type Account, type AddressBytes, accountRowColumns, decodeAccountRow } from "@lamplight/core";
import { mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import { LARGE } from "./gathered.ts";

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
const findAmongStatement = statement(
  `SELECT address, ${accountRowColumns.replace(
    /data$/u,
    "CASE WHEN octet_length(data) <= $2::bigint THEN data END",
  )} FROM account WHERE address = ANY ($1::bytea[])`,
);

/** Living accounts in the order asked for; null where there is none. */
export const findAccounts = async (
  db: Statements,
  programs: ProgramDictionary,
  addresses: readonly AddressBytes[],
): Promise<readonly (Account | null)[]> =>
  (await findAmong(db, programs, addresses, Number.MAX_SAFE_INTEGER)) as readonly (Account | null)[];

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

const dataAt = 1 + accountRowColumns.split(", ").indexOf("data");

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
