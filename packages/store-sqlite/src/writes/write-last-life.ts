import { type Account, encodeAccountRow, u64ToColumn } from "@lamplight/core";
import type { AccountKey } from "../columns/account-key.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";

/** Keeps the last life of emptied accounts that still exist. That of closed ones is in their tombstone. */
export interface LastLifeWriter {
  /** @param hadLife - whether the replaced row has a last life */
  replace(key: AccountKey, lastLife: Account | null, hadLife: boolean): void;
}

export const prepareLastLifeWriter = (
  connection: Connection,
  programs: ProgramDictionary,
): LastLifeWriter => {
  const put = connection.prepare(
    `INSERT OR REPLACE INTO last_life (id, tail, program, lamports, slot, write_version, flags, rent_epoch, data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = connection.prepare("DELETE FROM last_life WHERE id = ? AND tail = ?");
  return {
    replace: (key, lastLife, hadLife) => {
      if (lastLife === null) {
        if (hadLife) remove.run(key.id, key.tail);
        return;
      }
      const { flags, rentEpoch, data } = encodeAccountRow(lastLife);
      put.run(
        key.id,
        key.tail,
        programs.idOf(lastLife.programOwner),
        u64ToColumn(lastLife.lamports),
        lastLife.slot,
        lastLife.writeVersion,
        flags,
        rentEpoch,
        data,
      );
    },
  };
};
