import { type AddressBytes, ledgerKindNumber, type LedgerState } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const prepareReadLedger = (
  connection: Connection,
): ((kind: LedgerState["kind"], keys: readonly AddressBytes[]) => readonly (LedgerState | null)[]) => {
  const statement = connection.prepare("SELECT tree, state FROM ledger WHERE kind = ? AND key = ?");
  return (kind, keys) =>
    keys.map((key) => {
      const row = statement.get(ledgerKindNumber(kind), key);
      return row === undefined ? null : { kind, key, tree: row[0] as Uint8Array, state: row[1] as string };
    });
};
