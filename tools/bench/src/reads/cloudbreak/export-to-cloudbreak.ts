import { decodeClock, sysvarAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import { Client } from "pg";
import { type CopyValue, copyRows } from "../copy-rows.ts";
import { cloudbreakAccounts } from "./cloudbreak-accounts.ts";

type Column = keyof typeof cloudbreakAccounts;

const columns = Object.keys(cloudbreakAccounts) as readonly Column[];

/**
 * Fills Cloudbreak's tables with the accounts of a store, and lets PostgreSQL analyze them.
 *
 * @param url - of a database whose tables Cloudbreak's own migrations have made, and which are empty
 * @returns how many accounts
 */
export const exportToCloudbreak = async (storeFile: string, url: string): Promise<number> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const store = openSqliteExport(storeFile);
  let accounts = 0;
  try {
    for await (const page of store.pages("accounts")) {
      const existing = page.map(({ current }) => current).filter(({ lamports }) => lamports > 0n);
      await copyRows(client, "accounts", columns, existing.map(rowOf));
      accounts += existing.length;
    }
    await describeChain(client, store.head.watermark?.slot ?? 0);
    await client.query("ANALYZE accounts, snapshot_accounts, slots");
    return accounts;
  } finally {
    await store.close();
    await client.end();
  }
};

const rowOf = (account: Account): Readonly<Record<Column, CopyValue>> => ({
  pubkey: account.address,
  owner: account.programOwner,
  lamports: account.lamports,
  slot: account.slot,
  executable: account.executable,
  rent_epoch: account.rentEpoch,
  data: account.data,
  write_version: account.writeVersion,
});

const CONFIRMED = 1;
const FINALIZED = 2;

/** Writes what its indexer reports to its API: the slots to answer at, and that accounts of no program are left out. */
const describeChain = async (client: Client, slot: number): Promise<void> => {
  const blockTime = await readTimestamp(client);
  await copyRows(
    client,
    "slots",
    ["commitment", "slot", "block_time"],
    [CONFIRMED, FINALIZED].map((commitment) => ({ commitment, slot, block_time: blockTime })),
  );
  await copyRows(client, "environment_info", ["id", "mode"], [{ id: 1, mode: "exclude" }]);
  await client.query("UPDATE service_health SET healthy = true");
};

/** Unix time of the Clock sysvar; 0 = there is none. */
const readTimestamp = async (client: Client): Promise<bigint> => {
  const { rows } = await client.query<{ data: Buffer }>("SELECT data FROM accounts WHERE pubkey = $1", [
    sysvarAddresses.clock,
  ]);
  const clock = rows[0] === undefined ? null : decodeClock(rows[0].data);
  return clock === null ? 0n : BigInt(clock.unixTimestamp);
};
