import {
  type Account,
  type AccountState,
  type AddressBytes,
  accountRowColumns,
  decodeAccountRow,
  lastLifeBit,
  type ProgramOf,
  u64ToColumn,
} from "@lamplight/core";
import { accountKeyOf, addressOfKey, compareBytes, prefixOf } from "../columns/account-key.ts";
import type { Connection, Row } from "../engine/connection.ts";
import { findAccountSql, prepareFindAccount } from "./find-account.ts";

/** A closed account has no lamports and no data: its row leaves both out. */
const tombstoneColumns = `program, ${u64ToColumn(0n)}, slot, write_version, flags, rent_epoch, x'',
life_program, life_lamports, life_slot, life_write_version, life_flags, life_rent_epoch, life_data`;
const COLUMNS_OF_ONE = 7;
const FLAGS_COLUMN = 4;

const stateOfTombstone = (
  address: AddressBytes,
  row: Row,
  at: number,
  programOf: ProgramOf<bigint>,
): AccountState => ({
  current: decodeAccountRow(address, row, at, programOf),
  lastLife:
    row[at + COLUMNS_OF_ONE] === null ? null : decodeAccountRow(address, row, at + COLUMNS_OF_ONE, programOf),
});

/**
 * Living version or tombstone of each address; null for addresses never seen.
 *
 * @param known - cache of states: asked first, and filled with what was read from the table `account`
 */
export const prepareReadAccountStates = (
  connection: Connection,
  programOf: ProgramOf<bigint>,
  known: KnownStates | null = null,
): ((addresses: readonly AddressBytes[]) => readonly (AccountState | null)[]) => {
  const find = connection.prepare(findAccountSql);
  const findAccount = prepareFindAccount(connection, programOf);
  const findTombstone = connection.prepare(
    `SELECT ${tombstoneColumns} FROM tombstone WHERE id = ? AND tail = ?`,
  );
  const findLastLife = prepareFindLastLife(connection, programOf);
  const readOthers = (address: AddressBytes): AccountState | null => {
    const living = findAccount(address);
    if (living !== null) return { current: living, lastLife: findLastLife(address) };
    const { id, tail } = accountKeyOf(address);
    const row = findTombstone.get(id, tail);
    return row === undefined ? null : stateOfTombstone(address, row, 0, programOf);
  };
  return (addresses) =>
    addresses.map((address) => {
      const kept = known?.find(address);
      if (kept !== undefined) return kept;
      const { id, tail } = accountKeyOf(address);
      const row = find.get(id, tail);
      if (row === undefined) return readOthers(address);
      const hasLife = (Number(row[FLAGS_COLUMN]) & lastLifeBit) !== 0;
      const state: AccountState = {
        current: decodeAccountRow(address, row, 0, programOf),
        lastLife: hasLife ? findLastLife(address) : null,
      };
      known?.put(state);
      return state;
    });
};

/** States that need not be read. */
export interface KnownStates {
  find(address: AddressBytes): AccountState | undefined;
  put(state: AccountState): void;
}

/** The last life of an account that is still there; null for nearly all. */
const prepareFindLastLife = (
  connection: Connection,
  programOf: ProgramOf<bigint>,
): ((address: AddressBytes) => Account | null) => {
  const find = connection.prepare(`SELECT ${accountRowColumns} FROM last_life WHERE id = ? AND tail = ?`);
  return (address) => {
    const { id, tail } = accountKeyOf(address);
    const row = find.get(id, tail);
    return row === undefined ? null : decodeAccountRow(address, row, 0, programOf);
  };
};

/** Every account and tombstone in the order of (signed prefix, tail), after an address. */
export const prepareReadAccountPage = (
  connection: Connection,
  programOf: ProgramOf<bigint>,
): ((after: AddressBytes | null, limit: number) => readonly AccountState[]) => {
  const living = connection.prepare(
    `SELECT id, tail, ${accountRowColumns} FROM account WHERE id >= ?1 AND (id > ?1 OR tail > ?2) ORDER BY id LIMIT ?3`,
  );
  const pageOf = (table: string, columns: string) =>
    connection.prepare(
      `SELECT id, tail, ${columns} FROM ${table} WHERE (id, tail) > (?1, ?2) ORDER BY id, tail LIMIT ?3`,
    );
  const collisions = pageOf("account_collision", accountRowColumns);
  const tombstones = pageOf("tombstone", tombstoneColumns);
  const findLastLife = prepareFindLastLife(connection, programOf);
  const stateOf = (row: Row): AccountState => {
    const address = addressOfKey(row[0] as bigint, row[1] as Uint8Array);
    return row.length === COLUMNS_OF_ONE + 2
      ? { current: decodeAccountRow(address, row, 2, programOf), lastLife: findLastLife(address) }
      : stateOfTombstone(address, row, 2, programOf);
  };
  return (after, limit) => {
    const id = after === null ? -(2n ** 63n) : prefixOf(after);
    const tail = after === null ? new Uint8Array(0) : accountKeyOf(after).tail;
    const rows = [living, collisions, tombstones].flatMap((statement) => [...statement.all(id, tail, limit)]);
    return rows.toSorted(byKey).slice(0, limit).map(stateOf);
  };
};

const byKey = (a: Row, b: Row): number => {
  const [idA, idB] = [a[0] as bigint, b[0] as bigint];
  if (idA !== idB) return idA < idB ? -1 : 1;
  return compareBytes(a[1] as Uint8Array, b[1] as Uint8Array);
};
