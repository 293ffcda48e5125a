import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "pg";
import { type IndexStore, reads } from "@lamplight/core";
import { openPostgresStore } from "../open-postgres-store.ts";
import { accountOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openPostgresReader } from "./open-postgres-reader.ts";
import type { PostgresReader } from "./postgres-reader.ts";

/** These bounds only end waits that would otherwise never end. */
const patience = { timeout: 300_000, interval: 20 };

describeWithPostgres("a view whose caller is gone", (under) => {
  let store: IndexStore;
  let reader: PostgresReader;
  let blocker: Client;
  /** Another one: within a transaction the server shows its sessions as they were. */
  let watcher: Client;
  let url: string;

  beforeEach(async () => {
    url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    reader = await openPostgresReader({ url, sessionsMax: 2 });
    blocker = new Client({
      connectionString: under().server.url,
      options: `-c search_path=${new URL(url).searchParams.get("schema")}`,
    });
    await blocker.connect();
    watcher = await under().server.connect();
  });
  afterEach(async () => {
    await blocker.end();
    await watcher.end();
    reader.close();
    await store.close();
  });

  /** Makes every read of accounts wait until `end`. */
  const holdAccounts = async (): Promise<() => Promise<void>> => {
    await blocker.query("BEGIN; LOCK TABLE account IN ACCESS EXCLUSIVE MODE");
    return async () => {
      await blocker.query("ROLLBACK");
    };
  };

  const readersAtWork = async (): Promise<number> => {
    const { rows } = await watcher.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lamplight reader' AND wait_event_type = 'Lock'",
    );
    return Number(rows[0]?.count);
  };

  test("stops the server's work for it, and only that; the pool lends on", async () => {
    const release = await holdAccounts();
    const gone = await reader.openView("finalized");
    const patient = await reader.openView("finalized");
    const dropped = expect(gone.read(reads.account(addressOf("one")))).rejects.toMatchObject({
      code: "QUERY__OVER_BUDGET",
    });
    const answered = patient.read(reads.account(addressOf("one")));
    await vi.waitFor(async () => expect(await readersAtWork()).toBe(2), patience);
    gone.cancel?.();
    await dropped;
    await expect(gone.read(reads.account(addressOf("one")))).rejects.toMatchObject({
      code: "QUERY__OVER_BUDGET",
    });
    gone.close();
    await vi.waitFor(async () => expect(await readersAtWork()).toBe(1), patience);
    await release();
    expect(await answered).toMatchObject({ slot: 1 });
    patient.close();
    const views = await Promise.all([reader.openView("finalized"), reader.openView("finalized")]);
    for (const view of views) {
      expect(await view.read(reads.account(addressOf("one")))).toMatchObject({ slot: 1 });
      view.close();
    }
  });

  test("that asked nothing gives its session back unharmed", async () => {
    const view = await reader.openView("finalized");
    view.cancel?.();
    view.close();
    view.cancel?.();
    const next = await reader.openView("finalized");
    expect(await next.read(reads.account(addressOf("one")))).toMatchObject({ slot: 1 });
    next.close();
  });

  test("a statement that takes too long is ended by the server, and reported so", async () => {
    const hasty = await openPostgresReader({ url, statementTimeoutMs: 50 });
    const release = await holdAccounts();
    const view = await hasty.openView("finalized");
    await expect(view.read(reads.account(addressOf("one")))).rejects.toMatchObject({
      code: "QUERY__OVER_BUDGET",
    });
    view.close();
    await release();
    hasty.close();
  });
});
