import type { AddressBytes, Slot } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const prepareReadSeenSlots = (
  connection: Connection,
): ((ids: readonly AddressBytes[]) => readonly (Slot | null)[]) => {
  const statement = connection.prepare("SELECT slot FROM asset_seen WHERE id = ?");
  return (ids) =>
    ids.map((id) => {
      const row = statement.get(id);
      return row === undefined ? null : Number(row[0]);
    });
};
