import { DatabaseSync } from "node:sqlite";
import { encodeAddress } from "@lamplight/codecs";

/** Asked for in turn: enough that no server answers from what it answered before. */
export const ADDRESSES = 256;

export const callText = (method: string, params: unknown, id = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** Addresses in the first column of a statement that ends in `LIMIT ?`, read from the tables of a SQLite store. */
export const addressesIn = (file: string, sql: string): readonly string[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all(ADDRESSES)
      .map((row) => encodeAddress(Object.values(row)[0] as Uint8Array));
  } finally {
    database.close();
  }
};

/** Point reads of some token accounts. */
export const accountCalls = (file: string): readonly string[] =>
  addressesIn(
    file,
    "SELECT token_account FROM holding WHERE positive = 1 ORDER BY token_account LIMIT ?",
  ).map((address) => callText("getAccountInfo", [address, { encoding: "base64" }]));

/** Reads of some assets, ascending by id: that is in no order of storage. */
export const assetCalls = (file: string): readonly string[] =>
  addressesIn(file, "SELECT id FROM asset ORDER BY id LIMIT ?").map((id) => callText("getAsset", [id]));
