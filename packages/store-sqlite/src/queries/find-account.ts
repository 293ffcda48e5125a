import type { Account, AddressBytes } from "@lamplight/core";
import { prefixOf } from "../columns/account-key.ts";
import { accountRowColumns, decodeAccountRow, type ProgramOf } from "../columns/account-row.ts";
import type { Connection } from "../engine/connection.ts";

export const findAccountSql = `SELECT tail, ${accountRowColumns} FROM account WHERE id = ?`;
export const findCollisionSql = `SELECT tail, ${accountRowColumns} FROM account_collision WHERE id = ? AND tail = ?`;

const prefixBytes = 8;

/** Living accounts by address: one descent; the collision table only when another address holds the prefix. */
export const prepareFindAccount = (
  connection: Connection,
  programOf: ProgramOf,
): ((address: AddressBytes) => Account | null) => {
  const find = connection.prepare(findAccountSql);
  const findCollision = connection.prepare(findCollisionSql);
  return (address) => {
    const id = prefixOf(address);
    const row = find.get(id);
    if (row === undefined) return null;
    if (hasTail(row[0] as Uint8Array, address)) return decodeAccountRow(address, row, 1, programOf);
    const collision = findCollision.get(id, address.subarray(prefixBytes));
    return collision === undefined ? null : decodeAccountRow(address, collision, 1, programOf);
  };
};

const hasTail = (tail: Uint8Array, address: AddressBytes): boolean => {
  for (let index = 0; index < tail.length; index += 1) {
    if (tail[index] !== address[prefixBytes + index]) return false;
  }
  return true;
};
