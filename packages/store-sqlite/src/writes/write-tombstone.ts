import { type AccountState, type AddressBytes, encodeAccountRow, u64ToColumn } from "@lamplight/core";
import { type AccountKey, accountKeyOf } from "../columns/account-key.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";

/** Keeps tombstones of closed accounts: the slot, and the last life if it is needed. */
export interface TombstoneWriter {
  find(key: AccountKey): { readonly slot: number; readonly writeVersion: number } | null;
  put(key: AccountKey, state: AccountState): void;
  remove(key: AccountKey): void;
}

export const prepareTombstoneWriter = (
  connection: Connection,
  programs: ProgramDictionary,
): TombstoneWriter => {
  const find = connection.prepare("SELECT slot, write_version FROM tombstone WHERE id = ? AND tail = ?");
  const put = connection.prepare(
    `INSERT OR REPLACE INTO tombstone (id, tail, program, slot, write_version, flags, rent_epoch,
life_program, life_lamports, life_slot, life_write_version, life_flags, life_rent_epoch, life_data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = connection.prepare("DELETE FROM tombstone WHERE id = ? AND tail = ?");
  return {
    find: (key) => {
      const row = find.get(key.id, key.tail);
      return row === undefined ? null : { slot: Number(row[0]), writeVersion: Number(row[1]) };
    },
    put: (key, { current, lastLife }) => {
      const closed = encodeAccountRow(current);
      const life = lastLife === null ? null : encodeAccountRow(lastLife);
      put.run(
        key.id,
        key.tail,
        programs.idOf(current.programOwner),
        current.slot,
        current.writeVersion,
        closed.flags,
        closed.rentEpoch,
        lastLife === null ? null : programs.idOf(lastLife.programOwner),
        lastLife === null ? null : u64ToColumn(lastLife.lamports),
        lastLife?.slot ?? null,
        lastLife?.writeVersion ?? null,
        life?.flags ?? null,
        life?.rentEpoch ?? null,
        life?.data ?? null,
      );
    },
    remove: (key) => {
      remove.run(key.id, key.tail);
    },
  };
};

/** Deletes tombstones without a last life, in one transaction. */
export const prepareRemoveTombstones = (
  connection: Connection,
): ((addresses: readonly AddressBytes[]) => void) => {
  const remove = connection.prepare(
    "DELETE FROM tombstone WHERE id = ? AND tail = ? AND life_program IS NULL",
  );
  return (addresses) =>
    connection.write(() => {
      for (const { id, tail } of addresses.map(accountKeyOf)) remove.run(id, tail);
    });
};
