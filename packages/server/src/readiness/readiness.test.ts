// Readiness of a real server over a real store.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { openSqliteStore } from "@lamplight/store-sqlite";
import { emptyChangeSet } from "@lamplight/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { post, testKey } from "../../test/protocol-server.ts";
import {
  createSmallStore,
  largeAddress,
  SMALL_STORE_SLOT,
  smallAddress,
  type SmallStore,
} from "../../test/small-store.ts";
import { type RunningServer, type ServerOptions, startServer } from "../start-server.ts";

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

const withServer = async (
  options: Partial<ServerOptions>,
  body: (server: RunningServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer({ viewSource: store.reader, keys: [testKey], port: 0, ...options });
  try {
    await body(server);
  } finally {
    await server.stop();
  }
};

const readiness = async ({ url }: RunningServer): Promise<unknown> => {
  const response = await fetch(`${url}/readyz`);
  return [response.status, await response.json()];
};

const pollReadiness = (server: RunningServer) => expect.poll(() => readiness(server));

/** Below an open reader, which has read other pages only. */
const damageAccounts = (file: string): void => {
  const database = new DatabaseSync(file, { readOnly: true });
  const pages = database.prepare("SELECT pageno, pgsize FROM dbstat WHERE name = 'account'").all();
  database.close();
  const handle = openSync(file, "r+");
  for (const { pageno, pgsize } of pages)
    writeSync(handle, Buffer.alloc(64, 0xee), 0, 64, (Number(pageno) - 1) * Number(pgsize));
  closeSync(handle);
};

describe("/readyz", () => {
  test("turns 503 once the store got no new slot for too long, and is ready again with the next", () =>
    withServer({ maxStaleSeconds: 1 }, async (server) => {
      await pollReadiness(server).toEqual([
        503,
        { status: "behind", slot: SMALL_STORE_SLOT, reason: "stale" },
      ]);
      const writer = openSqliteStore({ file: store.file, mode: "write" });
      let slot = SMALL_STORE_SLOT;
      // Until one is read in time, however slow this machine is.
      const advance = async (): Promise<unknown> => {
        slot += 1;
        await writer.commit({ ...emptyChangeSet, watermark: { slot, blockhash: null } });
        return ((await readiness(server)) as [number])[0];
      };
      await expect.poll(advance).toBe(200);
      await writer.close();
    }));

  test("is ready at any age where no bound was set", () =>
    withServer({}, async (server) => {
      expect(await readiness(server)).toEqual([200, { status: "ready", slot: expect.any(Number) as number }]);
    }));

  test("is not ready while searchAssets is refused", async () => {
    let isRefused = true;
    const search = {
      isFilling: true,
      changeSeq: 7,
      assets: 3,
      terms: 1,
      columnBytes: 1,
      orderBytes: 1,
      termBytes: 1,
    };
    await withServer({ searchStatus: () => ({ ...search, isRefused }) }, async (server) => {
      expect(await readiness(server)).toEqual([
        503,
        {
          status: "loading",
          slot: expect.any(Number) as number,
          reason: "search is refused until its index is filled",
        },
      ]);
      isRefused = false;
      await pollReadiness(server).toMatchObject([200, { status: "ready" }]);
    });
  });

  test("is 503 from the stop on, while the port stays open and calls are answered", async () => {
    const limits = { lameDuckMs: 3_600_000 };
    const server = await startServer({ viewSource: store.reader, keys: [testKey], port: 0, limits });
    // Never resolves within this test; the server goes with the process.
    void server.stop();
    expect(await readiness(server)).toEqual([503, { status: "stopping" }]);
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params: [smallAddress] });
    expect((await post(server, call)).text).toContain('"lamports":18446744073709551615');
  });

  test("refuses connections once that time is over", async () => {
    const limits = { lameDuckMs: 10 };
    const server = await startServer({ viewSource: store.reader, keys: [testKey], port: 0, limits });
    await server.stop();
    await expect(readiness(server)).rejects.toThrow("fetch failed");
  });

  test("is 503 once the store file was replaced or deleted, and calls say what to do", async () => {
    const replaced = await createSmallStore();
    await withServer({ viewSource: replaced.reader }, async (server) => {
      expect(await readiness(server)).toMatchObject([200, { status: "ready" }]);
      rmSync(replaced.file);
      await pollReadiness(server).toEqual([
        503,
        { status: "replaced", reason: "the store file was replaced or deleted; restart the server" },
      ]);
      const call = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "getAccountInfo",
        params: [smallAddress],
      });
      const { status, text } = await post(server, call);
      expect([status, JSON.parse(text)]).toMatchObject([503, { error: { code: -32067 } }]);
      expect(text).toContain("must be restarted");
    });
    replaced.remove();
  });

  test("stays 503 once a call has met damage, which is logged once with its cause", async () => {
    const damaged = await createSmallStore();
    const logged: [fields: object, message: string][] = [];
    const note = (fields: object, message: string): void => void logged.push([fields, message]);
    const log = { info: () => {}, warn: note, error: note };
    await withServer({ viewSource: damaged.reader, log }, async (server) => {
      expect(await readiness(server)).toMatchObject([200, { status: "ready" }]);
      damageAccounts(damaged.file);
      const call = { jsonrpc: "2.0", id: 1, method: "getAccountInfo", params: [largeAddress] };
      const error = { code: -32603, message: "Internal error: the store is damaged" };
      const { status, text } = await post(server, JSON.stringify(call));
      expect([status, JSON.parse(text)]).toMatchObject([200, { error }]);
      const calls = [{ ...call, method: "rpc.discover", params: [] }, call];
      expect(JSON.parse((await post(server, JSON.stringify(calls))).text)).toMatchObject([
        { result: {} },
        { error },
      ]);
      await pollReadiness(server).toEqual([
        503,
        { status: "damaged", slot: SMALL_STORE_SLOT, reason: "the store is damaged" },
      ]);
      expect(logged).toEqual([
        [{ err: expect.objectContaining({ code: "STORE__CORRUPT" }) as Error }, expect.any(String)],
      ]);
    });
    damaged.remove();
  });
});
