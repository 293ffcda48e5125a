import {
  type Account,
  type AddressBytes,
  type BaseTokenAccount,
  accountRowColumns,
  decodeAccountRow,
  decodeBaseTokenAccount,
  ListedData,
  type ProgramOf,
  STORED_BASE_BYTES,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { prefixOf } from "../columns/account-key.ts";
import type { Connection } from "../engine/connection.ts";

// The engine compares the tail, because returning a blob costs an allocation.
export const findAccountSql = `SELECT ${accountRowColumns} FROM account WHERE id = ? AND tail = ?`;
export const findCollisionSql = `SELECT ${accountRowColumns} FROM account_collision WHERE id = ? AND tail = ?`;

const isClosedSql = "SELECT 1 FROM tombstone WHERE id = ? AND tail = ?";

const PREFIX_BYTES = 8;

/**
 * Living accounts by address: one lookup, and another in the collision table, which is nearly always empty, for those
 * not found.
 */
export const prepareFindAccount = (
  connection: Connection,
  programOf: ProgramOf<bigint>,
): ((address: AddressBytes) => Account | null) => {
  const find = connection.prepare(findAccountSql);
  const findCollision = connection.prepare(findCollisionSql);
  return (address) => {
    const id = prefixOf(address);
    const tail = address.subarray(PREFIX_BYTES);
    const row = find.get(id, tail) ?? findCollision.get(id, tail);
    return row === undefined ? null : decodeAccountRow(address, row, 0, programOf);
  };
};

/** Living accounts in the order of the addresses, null where there is none. */
export const findAccounts = (
  findAccount: (address: AddressBytes) => Account | null,
  addresses: readonly AddressBytes[],
): readonly (Account | null)[] => {
  const listed = new ListedData();
  return addresses.map((address) => listed.take(findAccount(address)));
};

const startColumns = `program, slot, flags, substr(data, 1, ${STORED_BASE_BYTES})`;

/** Finds token accounts, without their extensions. All of them are there. */
export const prepareFindTokenAccounts = (
  connection: Connection,
  programOf: ProgramOf<bigint>,
): ((addresses: readonly AddressBytes[]) => readonly BaseTokenAccount[]) => {
  const find = connection.prepare(`SELECT ${startColumns} FROM account WHERE id = ? AND tail = ?`);
  const findCollision = connection.prepare(
    `SELECT ${startColumns} FROM account_collision WHERE id = ? AND tail = ?`,
  );
  return (addresses) =>
    addresses.map((address) => {
      const key = [prefixOf(address), address.subarray(PREFIX_BYTES)] as const;
      const row = find.get(...key) ?? findCollision.get(...key);
      if (row === undefined) throw brokenInvariant("a holding is of an account");
      const [program, slot, flags, start] = row;
      const owner = programOf(program as bigint);
      return decodeBaseTokenAccount(address, owner, Number(slot), Number(flags), start as Uint8Array);
    });
};

/** Whether an account was stored and closed. */
export const prepareIsClosed = (connection: Connection): ((address: AddressBytes) => boolean) => {
  const find = connection.prepare(isClosedSql);
  return (address) => find.get(prefixOf(address), address.subarray(PREFIX_BYTES)) !== undefined;
};
