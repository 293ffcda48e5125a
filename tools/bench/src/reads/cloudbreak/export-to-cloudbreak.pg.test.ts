// A generated chain in Cloudbreak's tables: each value where Cloudbreak reads it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress, decodeClock, encodeAddress, sysvarAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountRequests } from "./account-requests.ts";
import { cloudbreakAccounts } from "./cloudbreak-accounts.ts";
import { exportToCloudbreak } from "./export-to-cloudbreak.ts";

const columnsText = Object.entries(cloudbreakAccounts)
  .map(([column, type]) => `${column} ${type}`)
  .join(", ");
const tablesText = [
  ...["accounts", "snapshot_accounts"].map(
    (table) => `CREATE TABLE ${table} (${columnsText}, PRIMARY KEY (pubkey, slot))`,
  ),
  "CREATE TABLE slots (slot bigint NOT NULL, commitment integer PRIMARY KEY, block_time bigint NOT NULL)",
  "CREATE TABLE environment_info (id integer PRIMARY KEY, mode text NOT NULL, programs text NOT NULL DEFAULT '')",
  "CREATE TABLE service_health (id serial PRIMARY KEY, healthy boolean NOT NULL)",
  "INSERT INTO service_health (healthy) VALUES (false)",
].join(";");

interface Call {
  readonly method: string;
  readonly params: readonly [string, object, object?];
}

describePostgres("export into Cloudbreak's tables", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-cloudbreak-"));
  const file = join(folder, "demo.db");
  const accounts = new Map<string, Account>();
  let postgres: TestPostgres;
  let client: Client;
  let exported = 0;
  let lastSlot = 0;
  beforeAll(async () => {
    const store = openSqliteStore({ file, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    const indexer = createIndexer(store);
    for (const batch of demoChain()) {
      await indexer.applyAccounts(batch.accounts, { slot: batch.slot, blockhash: batch.blockhash });
      for (const account of batch.accounts) accounts.set(encodeAddress(account.address), account);
      lastSlot = batch.slot;
    }
    await store.close();
    postgres = await startPostgres();
    client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(tablesText);
    exported = await exportToCloudbreak(file, postgres.url);
  });
  afterAll(async () => {
    await client.end();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  const rowsOf = async (sql: string): Promise<readonly unknown[]> => (await client.query(sql)).rows;

  test("every account that exists has one row, with each of its values", async () => {
    const rows = (await rowsOf(
      "SELECT *, lamports::text, slot::text, rent_epoch::text, write_version::text FROM accounts",
    )) as readonly Record<string, unknown>[];
    const existing = [...accounts.values()].filter(({ lamports }) => lamports > 0n);
    expect(existing.length).toBeGreaterThan(100);
    expect(existing.length).toBeLessThan(accounts.size);
    expect([rows.length, exported]).toEqual([existing.length, existing.length]);
    for (const row of rows) {
      const account = accounts.get(encodeAddress(row["pubkey"] as Buffer))!;
      expect(row).toEqual({
        pubkey: Buffer.from(account.address),
        owner: Buffer.from(account.programOwner),
        lamports: String(account.lamports),
        slot: String(account.slot),
        executable: account.executable,
        rent_epoch: String(account.rentEpoch),
        data: Buffer.from(account.data),
        write_version: String(account.writeVersion),
      });
    }
  });

  test("its API knows slot, time, programs and that it may answer", async () => {
    const clock = decodeClock(accounts.get(encodeAddress(sysvarAddresses.clock))!.data);
    const slot = { slot: String(lastSlot), block_time: String(clock?.unixTimestamp) };
    expect(await rowsOf("SELECT * FROM slots ORDER BY commitment")).toEqual([
      { ...slot, commitment: 1 },
      { ...slot, commitment: 2 },
    ]);
    expect(await rowsOf("SELECT * FROM environment_info")).toEqual([
      { id: 1, mode: "exclude", programs: "" },
    ]);
    expect(await rowsOf("SELECT healthy FROM service_health")).toEqual([{ healthy: true }]);
  });

  test("requests name accounts and delegates that are in the tables, or nobody", async () => {
    const work = Object.entries(await accountRequests(file, 20)) as [string, readonly Call[]][];
    expect(work.length).toBeGreaterThan(4);
    for (const [name, calls] of work) {
      expect(calls.length, name).toBeGreaterThan(0);
      for (const { params } of calls) {
        const size = /^delegate of ([\d,]+)/u.exec(name)?.[1];
        if (size === undefined) expect(accounts.has(params[0]), name).toBe(!name.includes("missing"));
        else expect(await countByDelegate(params[0]), name).toBe(Number(size.replaceAll(",", "")));
      }
    }
  });

  /** As Cloudbreak finds them: a mark at byte 72, and the delegate behind it. */
  const countByDelegate = async (delegate: string): Promise<number> => {
    const { rows } = await client.query<{ accounts: number }>(
      `SELECT count(*)::int AS accounts FROM accounts
       WHERE owner = $1 AND substring(data FROM 73 FOR 1) = '\\x01' AND substring(data FROM 77 FOR 32) = $2`,
      [decodeAddress("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"), decodeAddress(delegate)],
    );
    return rows[0]!.accounts;
  };
});
