import {
  type Account,
  type AddressBytes,
  accountRowColumns,
  decodeAccountRow,
  type ProgramOf,
} from "@lamplight/core";
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

/** Whether an account was stored and closed. */
export const prepareIsClosed = (connection: Connection): ((address: AddressBytes) => boolean) => {
  const find = connection.prepare(isClosedSql);
  return (address) => find.get(prefixOf(address), address.subarray(PREFIX_BYTES)) !== undefined;
};
