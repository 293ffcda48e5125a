import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Coverage, emptyChangeSet, type IndexStore, type ViewSource } from "@lamplight/core";
import { type RunningServer, startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startScriptServer } from "../test/script-server.ts";
import { createClient } from "./create-client.ts";
import { createInProcessClient } from "./in-process.ts";

const apiKey = "key";
const dumps: Coverage = {
  kind: "filtered",
  programs: [],
  owners: [],
  mints: [],
  collections: [],
  dumps: true,
};

let folder: string;
let writer: IndexStore;
let viewSource: ViewSource & { close(): void };
let server: RunningServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-slot-"));
  const file = join(folder, "slot.db");
  writer = openSqliteStore({ file, mode: "write" });
  await moveTo(100);
  viewSource = openSqliteReader({ file });
  server = await startServer({ viewSource, keys: [apiKey], port: 0 });
});
afterEach(async () => {
  await server.stop();
  viewSource.close();
  await writer.close();
  rmSync(folder, { recursive: true });
});

const moveTo = (slot: number): Promise<unknown> =>
  Promise.resolve(writer.commit({ ...emptyChangeSet, watermark: { slot, blockhash: null } }));

const ways = [
  ["over HTTP", () => createClient({ url: server.url, apiKey })],
  ["in process", () => createInProcessClient({ viewSource })],
] as const;
const levels = [undefined, "finalized"] as const;
const coverages = [{ kind: "whole" }, dumps] as const;

describe.each(ways)("waitForSlot %s", (_way, open) => {
  test.each(levels.flatMap((commitment) => coverages.map((coverage) => ({ commitment, coverage }))))(
    "resolves when the slot can be read, with %j",
    async ({ commitment, coverage }) => {
      await writer.writeCoverage(coverage);
      const client = open();
      await client.waitForSlot(100, { commitment });
      let isThere = false;
      const waiting = client.waitForSlot(101n, { commitment }).then(() => (isThere = true));
      await expect(client.with({ timeoutMs: 300 }).waitForSlot(101, { commitment })).rejects.toThrow("101");
      expect(isThere).toBe(false);
      await moveTo(101);
      await waiting;
    },
  );

  test("names the newest slot when its time is over, and obeys the caller's signal", async () => {
    await expect(open().with({ timeoutMs: 1000 }).waitForSlot(200)).rejects.toMatchObject({
      name: "TimeoutError",
      message: "slot 200 was not reached in time; the newest is 100",
    });
    const signal = AbortSignal.abort(new Error("never mind"));
    await expect(open().with({ signal }).waitForSlot(200)).rejects.toThrow("never mind");
  });

  test("refuses what is no slot", async () => {
    for (const commitment of levels)
      await expect(open().waitForSlot(1.5, { commitment })).rejects.toMatchObject({ code: -32602 });
  });
});

test("a server that loads or is busy is asked again, a wrong key is not", async () => {
  const refusals = [
    {
      status: 503,
      body: '{"jsonrpc":"2.0","error":{"code":-32067,"message":"Index still loading"},"id":null}',
    },
    { status: 429 },
    { body: '{"jsonrpc":"2.0","error":{"code":-32069,"message":"Busy"},"id":1}' },
    { body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Asset Not Found"},"id":1}' },
  ];
  const script = await startScriptServer((_request, count) => refusals[count - 1]!);
  try {
    await createClient({ url: script.url, retry: false }).waitForSlot(7);
    expect(script.received).toHaveLength(refusals.length);
  } finally {
    await script.close();
  }
  await expect(createClient({ url: server.url, apiKey: "other" }).waitForSlot(7)).rejects.toMatchObject({
    status: 401,
  });
});
