// A store of token accounts, and the answers of the DAS methods over it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programAddresses } from "@lamplight/codecs";
import type { Account, Coverage } from "@lamplight/core";
import { createIndexer, fillHolders } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { askOver } from "./proof-store.ts";

/** 32 bytes that are this number, the rest zeros. */
export const key = (number: number): Uint8Array => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
};

/** It owns token accounts that name no other wallet. */
export const wallet = key(1);

export interface Held {
  readonly mint: Uint8Array;
  readonly amount: bigint;
  readonly delegate?: Uint8Array;
  readonly delegatedAmount?: bigint;
  readonly owner?: Uint8Array;
}

/** A token account, as the token program lays it out. */
export const tokenAccount = (
  address: Uint8Array,
  { mint, amount, delegate, delegatedAmount = 0n, owner = wallet }: Held,
): Account => {
  const data = new Uint8Array(165);
  const view = new DataView(data.buffer);
  data.set(mint, 0);
  data.set(owner, 32);
  view.setBigUint64(64, amount, true);
  if (delegate !== undefined) {
    view.setUint32(72, 1, true);
    data.set(delegate, 76);
  }
  data[108] = 1;
  view.setBigUint64(121, delegatedAmount, true);
  return {
    address,
    programOwner: programAddresses.token,
    lamports: 2_039_280n,
    executable: false,
    rentEpoch: 2n ** 64n - 1n,
    data,
    slot: 1,
    writeVersion: 0,
  };
};

export const whole: Coverage = { kind: "whole" };
export const filtered = (more: Partial<Coverage & { kind: "filtered" }>): Coverage => ({
  kind: "filtered",
  programs: [],
  owners: [],
  mints: [],
  collections: [],
  ...more,
});

export interface TokenStoreOptions {
  readonly coverage: Coverage;
  /** Whether it indexes holdings; default yes. */
  readonly holdings?: boolean;
  /** Whether it indexes the token accounts of each mint; default no. */
  readonly holders?: boolean;
}

export type Ask = (method: string, params: object) => Promise<unknown>;

/** Runs `body` over a store with these accounts. */
export const withStore = async (
  accounts: readonly Account[],
  { coverage, holdings = true, holders = false }: TokenStoreOptions,
  body: (ask: Ask) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-das-"));
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write", holdings });
  await store.writeCoverage(coverage);
  if (holders) await fillHolders(store, store.holders!);
  await createIndexer(store).applyAccounts(accounts, { slot: 1, blockhash: null });
  const reader = openSqliteReader({ file });
  try {
    await body((method, params) => askOver(reader, method, params));
  } finally {
    reader.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
};
