import {
  type Account,
  type AccountState,
  type AddressBytes,
  accountRowColumns,
  decodeAccountRow,
  u64ToColumn,
} from "@lamplight/core";
import { byKey, compareBytes, mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

/** A closed account has no lamports and no data: its row leaves both out. */
const tombstoneColumns = `program, '${u64ToColumn(0n)}'::bigint, slot, write_version, flags, rent_epoch, ''::bytea`;

const among = "WHERE address = ANY ($1::bytea[])";
const findLiving = statement(`SELECT address, ${accountRowColumns} FROM account ${among}`);
const findClosed = statement(`SELECT address, ${tombstoneColumns} FROM tombstone ${among}`);
const findLives = statement(`SELECT address, ${accountRowColumns} FROM last_life ${among}`);

/** Living version or tombstone of each address; null for addresses never seen. */
export const readAccountStates = async (
  db: Statements,
  programs: ProgramDictionary,
  addresses: readonly AddressBytes[],
): Promise<readonly (AccountState | null)[]> => {
  if (addresses.length === 0) return [];
  const asked = arrayParameter("bytea", addresses);
  const [living, closed, lives] = await Promise.all([
    db.all(findLiving, asked),
    db.all(findClosed, asked),
    db.all(findLives, asked),
  ]);
  const states = byKey(await statesOf(db, programs, [...living, ...closed], lives));
  return addresses.map((address) => states.get(mapKeyOf(address))?.[1] ?? null);
};

const page = "WHERE address > $1 ORDER BY address LIMIT $2";
const livingPage = statement(`SELECT address, ${accountRowColumns} FROM account ${page}`);
const closedPage = statement(`SELECT address, ${tombstoneColumns} FROM tombstone ${page}`);

/** Every account and tombstone in the order of their addresses, after one. */
export const readAccountPage = async (
  db: Statements,
  programs: ProgramDictionary,
  after: AddressBytes | null,
  limit: number,
): Promise<readonly AccountState[]> => {
  const from = after ?? new Uint8Array(0);
  const [living, closed] = await Promise.all([
    db.all(livingPage, from, limit),
    db.all(closedPage, from, limit),
  ]);
  const rows = [...living, ...closed]
    .toSorted((a, b) => compareBytes(a[0] as Uint8Array, b[0] as Uint8Array))
    .slice(0, limit);
  const addresses = rows.map((row) => row[0] as Uint8Array);
  const lives = addresses.length === 0 ? [] : await db.all(findLives, arrayParameter("bytea", addresses));
  return (await statesOf(db, programs, rows, lives)).map(([, state]) => state);
};

const statesOf = async (
  db: Statements,
  programs: ProgramDictionary,
  rows: readonly Row[],
  lives: readonly Row[],
): Promise<readonly (readonly [AddressBytes, AccountState])[]> => {
  await programs.learn(
    db,
    [...rows, ...lives].map((row) => row[1] as number),
  );
  const decode = (row: Row): Account => decodeAccountRow(row[0] as Uint8Array, row, 1, programs.addressOf);
  const lastLives = byKey(lives);
  return rows.map((row) => {
    const address = row[0] as AddressBytes;
    const life = lastLives.get(mapKeyOf(address));
    return [address, { current: decode(row), lastLife: life === undefined ? null : decode(life) }];
  });
};
