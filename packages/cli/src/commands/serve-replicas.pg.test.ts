// `lamplight serve` with workers over a primary and a replica, asked over kept connections.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyChangeSet } from "@lamplight/core";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCommand } from "../../test/run-command.ts";
import { servingUrl } from "../../test/serving.ts";

const WAIT_MS = 300_000;
const CONNECTIONS = 4;
/** Calls of each connection before and after the replica is gone. */
const CALLS = 40;
const body = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "getAccountInfo",
  params: ["11111111111111111111111111111111"],
});

interface Reply {
  readonly status: number;
  readonly slot: number;
}

const post = (url: string, agent: Agent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    request(`${url}/v3/k`, { method: "POST", agent, headers }, (response) => {
      response
        .resume()
        .once("end", () =>
          resolve({ status: response.statusCode!, slot: Number(response.headers["x-slot"]) }),
        );
    })
      .on("error", reject)
      .end(body);
  });

interface Readiness {
  readonly follow?: { readonly servers?: readonly object[] };
}

describePostgres("lamplight serve over a replica", () => {
  let folder: string;
  let primary: TestPostgres;
  let replica: TestPostgres;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "lamplight-serve-replicas-"));
    primary = await startPostgres();
  });
  afterAll(async () => {
    await replica?.stop();
    await primary?.stop();
    rmSync(folder, { recursive: true });
  });

  test("reads it, then the primary, and no connection sees an older slot", async () => {
    const store = await openPostgresStore({ url: primary.url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    let slot = 100;
    const advance = async (): Promise<void> => {
      slot += 1;
      await store.commit({ ...emptyChangeSet, watermark: { slot, blockhash: null } });
    };
    await advance();
    replica = await primary.startReplica();
    const servers = `127.0.0.1:${primary.port},127.0.0.1:${replica.port}`;
    const child = startCommand(
      ["serve", "--store", `postgres://postgres@${servers}/postgres`, "--workers", "2", "--port", "0"],
      { LAMPLIGHT_KEYS: "k", LAMPLIGHT_SEARCH_CACHE: folder },
    );
    const exit = once(child, "exit");
    const url = await servingUrl(child);
    const serversOf = async (): Promise<readonly object[]> => {
      const response = await fetch(`${url}/v3/k/readyz`);
      return ((await response.json()) as Readiness).follow?.servers ?? [];
    };
    const run = { isOver: false };
    const writing = (async () => {
      while (!run.isOver) await advance();
    })();
    const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const newest = new Map<Agent, number>();
    let answers = 0;
    const ask = async (agent: Agent): Promise<void> => {
      for (let count = 0; count < CALLS;) {
        const reply = await post(url, agent);
        expect([200, 503]).toContain(reply.status);
        if (reply.status === 503) continue;
        expect(reply.slot).toBeGreaterThanOrEqual(newest.get(agent) ?? 0);
        newest.set(agent, reply.slot);
        answers += 1;
        count += 1;
      }
    };
    await Promise.all(agents.map(ask));
    await expect
      .poll(serversOf, { timeout: WAIT_MS })
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ server: `127.0.0.1:${replica.port}`, role: "standby", state: "read" }),
        ]),
      );
    await replica.crash();
    await Promise.all(agents.map(ask));
    await expect
      .poll(serversOf, { timeout: WAIT_MS })
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ server: `127.0.0.1:${primary.port}`, role: "primary", state: "read" }),
          expect.objectContaining({ server: `127.0.0.1:${replica.port}`, role: null, state: "unreachable" }),
        ]),
      );
    run.isOver = true;
    await writing;
    expect(answers).toBe(2 * CONNECTIONS * CALLS);
    // A client that connects again to any worker gets no older slot either.
    const newestOfAll = Math.max(...newest.values());
    const again = new Agent({ keepAlive: false });
    for (let count = 0; count < CONNECTIONS; count += 1)
      expect((await post(url, again)).slot).toBeGreaterThanOrEqual(newestOfAll);
    for (const agent of agents) agent.destroy();
    child.kill();
    await exit;
    await store.close();
  });
});
