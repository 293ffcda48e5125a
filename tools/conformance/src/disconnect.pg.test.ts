// A caller who hangs up over real HTTP: what the database does for that call ends, and everyone else is served on.

import { demoAddresses, demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { type RunningServer, startServer } from "@lamplight/server";
import { openPostgresReader, openPostgresStore, type PostgresReader } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const SESSIONS = 2;
/** A busy machine takes its time. */
const patience = { timeout: 300_000 };

describePostgres("a caller who hangs up", () => {
  let postgres: TestPostgres;
  let reader: PostgresReader;
  let server: RunningServer;
  beforeAll(async () => {
    postgres = await startPostgres();
    const store = await openPostgresStore({ url: postgres.url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    const indexer = createIndexer(store);
    for (const { slot, blockhash, accounts } of demoChain())
      await indexer.applyAccounts(accounts, { slot, blockhash });
    await store.close();
    // Without an end by time, only being ended for a caller who is gone ends a statement here.
    reader = await openPostgresReader({ url: postgres.url, sessionsMax: SESSIONS, statementTimeoutMs: 0 });
    server = await startServer({ viewSource: reader, keys: ["k"], port: 0 });
  });
  afterAll(async () => {
    await server?.stop();
    reader?.close();
    await postgres?.stop();
  });

  const call = (method: string, params: unknown, signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.url}/v3/k`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      ...(signal === undefined ? {} : { signal }),
    });

  const calls: readonly (readonly [string, unknown])[] = [
    ["getAccountInfo", [demoAddresses.mint]],
    ["getTokenAccountsByDelegate", [demoAddresses.delegate, { mint: demoAddresses.mint }]],
    ["getAsset", { id: demoAddresses.nft }],
    ["searchAssets", { ownerAddress: demoAddresses.wallet }],
  ];

  test.each(calls)("%s: its statement is ended, its session is lent to others", async (method, params) => {
    const expected = await (await call(method, params)).text();
    const blocker = await postgres.connect();
    // Another one: within a transaction the server shows its sessions as they were.
    const watcher = await postgres.connect();
    const waiting = async (): Promise<number> => {
      const { rows } = await watcher.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'lamplight reader' AND wait_event_type = 'Lock'",
      );
      return rows.length;
    };
    try {
      await blocker.query(
        "BEGIN; LOCK TABLE lamplight.account, lamplight.asset, lamplight.asset_document IN ACCESS EXCLUSIVE MODE",
      );
      const leaving = new AbortController();
      const gone = Array.from({ length: SESSIONS }, () =>
        call(method, params, leaving.signal).catch(() => null),
      );
      await vi.waitFor(async () => expect(await waiting()).toBe(SESSIONS), patience);
      leaving.abort();
      expect(await Promise.all(gone)).toEqual(Array.from({ length: SESSIONS }, () => null));
      // The lock is still held: without being ended they would wait on.
      await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
    } finally {
      // Its end is the end of its locks.
      await blocker.end();
      await watcher.end();
    }
    const answers = await Promise.all(Array.from({ length: 2 * SESSIONS }, () => call(method, params)));
    for (const answer of answers) expect(await answer.text()).toBe(expected);
  });
});
