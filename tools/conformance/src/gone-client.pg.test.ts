// A client that is gone in mid-call ends the call: the database works no longer for it, and its session returns.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { IndexStore } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { type RunningServer, startServer } from "@lamplight/server";
import { openPostgresReader, openPostgresStore, type PostgresReader } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { accountAt, addressOf, mintData } from "./account-rules/records.ts";

/** Only ends what would otherwise never end. */
const patience = { timeout: 300_000, interval: 20 };
const keyText = "key";
const SESSIONS = 2;

const mint = addressOf(31);
const call = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const account = call("getAccountInfo", [encodeAddress(mint), { encoding: "base64" }]);
const supply = call("getTokenSupply", [encodeAddress(mint)]);
const list = call("getTokenAccountsByDelegate", [
  encodeAddress(addressOf(77)),
  { mint: encodeAddress(mint) },
  { encoding: "jsonParsed" },
]);

describePostgres("a client that is gone in mid-call", () => {
  let postgres: TestPostgres;
  let store: IndexStore;
  let reader: PostgresReader;
  let server: RunningServer;
  let blocker: Awaited<ReturnType<TestPostgres["connect"]>>;
  /** Another one: within a transaction the database shows its sessions as they were. */
  let watcher: typeof blocker;
  beforeAll(async () => {
    postgres = await startPostgres();
    store = await openPostgresStore({ url: postgres.url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await createIndexer(store).applyAccounts([accountAt(mint, programAddresses.token, mintData(1n, 1))], {
      slot: 1,
      blockhash: null,
    });
    reader = await openPostgresReader({ url: postgres.url, sessionsMax: SESSIONS });
    server = await startServer({ viewSource: reader, keys: [keyText], port: 0 });
    [blocker, watcher] = [await postgres.connect(), await postgres.connect()];
  });
  afterAll(async () => {
    await blocker?.end();
    await watcher?.end();
    await server?.stop();
    reader?.close();
    await store?.close();
    await postgres?.stop();
  });

  const waitingReaders = async (): Promise<number> => {
    const { rows } = await watcher.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
WHERE application_name = 'lamplight reader' AND state = 'active' AND wait_event_type = 'Lock'`,
    );
    return Number(rows[0]?.count);
  };

  const send = async (body: string): Promise<Socket> => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(
      `POST /v3/${keyText} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  };

  const statusOf = async (body: string): Promise<number> => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${server.url}/v3/${keyText}`, { method: "POST", headers, body })).status;
  };

  test.each([
    ["a single read", account],
    ["a parsed read", supply],
    ["a list", list],
    ["a batch", `[${[account, supply, account].join()}]`],
  ])("leaves the database without work, and the pool whole: %s", async (_, body) => {
    // Programs and settings are known from now on.
    expect(await statusOf(body)).toBe(200);
    await blocker.query("BEGIN; LOCK TABLE lamplight.account IN ACCESS EXCLUSIVE MODE");
    const gone: Socket[] = [];
    for (let client = 1; client <= SESSIONS; client += 1) {
      gone.push(await send(body));
      await vi.waitFor(async () => expect(await waitingReaders()).toBe(client), patience);
    }
    for (const socket of gone) socket.destroy();
    await vi.waitFor(async () => expect(await waitingReaders()).toBe(0), patience);
    await blocker.query("ROLLBACK");
    const answers = await Promise.all(Array.from({ length: 4 * SESSIONS }, () => statusOf(body)));
    expect(answers).toEqual(answers.map(() => 200));
  });
});
