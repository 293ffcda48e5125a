import { readFileSync } from "node:fs";
import { emptyChangeSet, reads } from "@lamplight/core";
import { defaultLimits } from "@lamplight/server";
import { openStoreForReading } from "@lamplight/runtime";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresStore } from "@lamplight/store-postgres";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

const guides = ["../deploy/README.md", "../../store-postgres/README.md"];
/** More than an API node may open. */
const ATTEMPTS = 40;

describePostgres("sessions of an API node", () => {
  let server: TestPostgres;
  let watcher: Client;
  beforeAll(async () => {
    server = await startPostgres();
    watcher = await server.connect();
  });
  afterAll(async () => {
    await watcher?.end();
    await server?.stop();
  });

  const sessions = async (condition = "true"): Promise<number> => {
    const { rows } = await watcher.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lamplight reader' AND ${condition}`,
    );
    return Number(rows[0]?.count);
  };

  test("are as many as both guides say", async () => {
    const store = await openPostgresStore({ url: server.url, mode: "write" });
    await store.commit({ ...emptyChangeSet, watermark: { slot: 1, blockhash: null } });
    const reader = await openStoreForReading(server.url);
    const opened = await Promise.allSettled(
      Array.from({ length: ATTEMPTS }, async () => reader.openView("finalized")),
    );
    const views = opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    await reader.unfinalized!.readUnfinalizedHead();
    // Another session stops the statement of a caller who is gone.
    const blocker = await server.connect();
    await blocker.query("BEGIN; LOCK TABLE lamplight.account IN ACCESS EXCLUSIVE MODE");
    const reading = Promise.resolve(views[0]!.read(reads.account(new Uint8Array(32)))).catch(() => null);
    await expect.poll(() => sessions("wait_event_type = 'Lock'"), { timeout: 300_000 }).toBe(1);
    views[0]!.cancel!();
    await reading;
    expect(await sessions()).toBe(defaultLimits.readViews + 5);
    for (const guide of guides) {
      const text = readFileSync(new URL(guide, import.meta.url), "utf8");
      expect(/(\d+) per API node/u.exec(text)?.[1], guide).toBe(String(await sessions()));
    }
    await blocker.end();
    for (const view of views) view.close();
    reader.close();
    await store.close();
  });
});
