import {
  type AddressBytes,
  type IndexStore,
  type LedgerKind,
  ledgerKindNumber,
  type LedgerState,
} from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const prepareReadLedger = (
  connection: Connection,
): ((kind: LedgerKind, keys: readonly AddressBytes[]) => readonly (LedgerState | null)[]) => {
  const statement = connection.prepare("SELECT tree, state FROM ledger WHERE kind = ? AND key = ?");
  return (kind, keys) =>
    keys.map((key) => {
      const row = statement.get(ledgerKindNumber(kind), key);
      return row === undefined ? null : { kind, key, tree: row[0] as Uint8Array, state: row[1] as string };
    });
};

export const prepareReadTrees = (connection: Connection): NonNullable<IndexStore["readTrees"]> => {
  const statement = connection.prepare(
    "SELECT key, state FROM ledger WHERE kind = ? AND key > ? ORDER BY key LIMIT ?",
  );
  return async (after, limit) =>
    statement.all(ledgerKindNumber("tree"), after ?? new Uint8Array(0), limit).map((row): LedgerState => {
      const key = row[0] as Uint8Array;
      return { kind: "tree", key, tree: key, state: row[1] as string };
    });
};
