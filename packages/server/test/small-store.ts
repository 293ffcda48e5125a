// A real SQLite store with a handful of plain accounts, for tests of the server that need something to read.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Account } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";

export const SMALL_STORE_SLOT = 4321;

/** 32 bytes of `n`; as text see `smallAddressText`. */
const addressBytes = (n: number): Uint8Array => new Uint8Array(32).fill(n);

/** Base58 of 32 times the byte 1, of a small account, and of 32 times the byte 2, of one over 128 bytes. */
export const smallAddress = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";
export const largeAddress = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR";
export const token2022Address = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const token2022Bytes = Buffer.from("06ddf6e1ee758fde18425dbce46ccddab61afc4d83b90d27febdf928d8a18bfc", "hex");
export const missingAddress = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8";

const account = (n: number, bytes: number): Account => ({
  address: addressBytes(n),
  programOwner: new Uint8Array(32),
  lamports: 2n ** 64n - BigInt(n),
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(bytes).fill(n),
  slot: SMALL_STORE_SLOT - 1,
  writeVersion: 0,
});

/** A Token-2022 account of so many bytes, at 32 times the byte `n`; `largeAddress` is its mint, owner and delegate. */
export const delegatedAccount = (n: number, bytes: number): Account => {
  const data = new Uint8Array(bytes);
  data.fill(2, 0, 64);
  data[72] = 1;
  data.fill(2, 76, 108);
  // Its state, and the kind of an account that has extensions.
  data[108] = 1;
  data[165] = 2;
  return { ...account(n, 0), programOwner: token2022Bytes, data };
};

export interface SmallStore {
  readonly file: string;
  readonly reader: SqliteReader;
  remove(): void;
}

/**
 * @param largeBytes - data of the account at `largeAddress`
 * @param more - further accounts
 */
export const createSmallStore = async (
  largeBytes = 129,
  more: readonly Account[] = [],
): Promise<SmallStore> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-server-"));
  const file = join(folder, "store.db");
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts([account(1, 2), account(2, largeBytes), ...more], {
    slot: SMALL_STORE_SLOT,
    blockhash: null,
  });
  await store.close();
  const reader = openSqliteReader({ file });
  return {
    file,
    reader,
    remove: () => {
      reader.close();
      rmSync(folder, { recursive: true });
    },
  };
};
