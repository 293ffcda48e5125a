import { type IndexStore, reads } from "@lamplight/core";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, afterEach, expect, test, vi } from "vitest";
import { dropPostgresStore } from "../drop-postgres-store.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import {
  READ_STATEMENT_TIMEOUT_MS,
  REOPEN_MAX_MS,
  REPLY_GRACE_MS,
  VIEW_QUEUE_MAX,
} from "../engine/settings.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { accountOf, addressOf, fill, slotOf } from "@lamplight/store-conformance/small-chain";
import { startProxy } from "../../test/start-proxy.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openPostgresReader } from "./open-postgres-reader.ts";
import type { PostgresReader } from "./postgres-reader.ts";

/** Far above what the first statement of a session takes, which the database's timeout bounds. */
const DATABASE_TIMEOUT_MS = 1000;

describeWithPostgres("openPostgresReader", (under) => {
  let url: string;
  let store: IndexStore;
  const readers: PostgresReader[] = [];

  beforeEach(async () => {
    url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const reader of readers.splice(0)) reader.close();
    await store.close();
  });

  const openReader = async (sessionsMax: number): Promise<PostgresReader> => {
    const reader = await openPostgresReader({ url, sessionsMax, viewWaitMs: 500 });
    readers.push(reader);
    return reader;
  };

  test("serves those that wait in the order of their asking", async () => {
    const reader = await openReader(1);
    const first = await reader.openView("finalized");
    const order: number[] = [];
    const waiting = [0, 1, 2].map(async (index) => {
      const view = await reader.openView("finalized");
      order.push(index);
      view.close();
    });
    first.close();
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2]);
  });

  test("a view that waited shows the slot of its opening, not of its asking", async () => {
    const reader = await openReader(1);
    const first = await reader.openView("finalized");
    const second = reader.openView("finalized");
    await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
    expect(first.slot).toBe(1);
    first.close();
    const view = await second;
    expect(view.slot).toBe(2);
    expect(await view.read(reads.account(addressOf("two")))).not.toBeNull();
    view.close();
  });

  test("refuses with STORE__BUSY past the deadline, and serves again after", async () => {
    const reader = await openReader(1);
    const first = await reader.openView("finalized");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const refused = expect(reader.openView("finalized")).rejects.toMatchObject({
      code: "STORE__BUSY",
      context: { limit: 1 },
    });
    await vi.advanceTimersByTimeAsync(500);
    await refused;
    vi.useRealTimers();
    first.close();
    (await reader.openView("finalized")).close();
  });

  test("refuses at once when too many wait already", async () => {
    const reader = await openReader(1);
    const first = await reader.openView("finalized");
    const waiting = Array.from({ length: VIEW_QUEUE_MAX }, () => reader.openView("finalized"));
    const settled = Promise.allSettled(waiting);
    await expect(reader.openView("finalized")).rejects.toMatchObject({ code: "STORE__BUSY" });
    first.close();
    (await waiting[0])?.close();
    reader.close();
    const served = (await settled).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const view of served) view.close();
    expect(served.length).toBeLessThan(VIEW_QUEUE_MAX / 2);
  });

  test("when closed, opens nothing new and lets open views finish", async () => {
    const reader = await openReader(2);
    const view = await reader.openView("finalized");
    reader.close();
    await expect(reader.openView("finalized")).rejects.toMatchObject({ code: "STORE__BUSY" });
    expect(await view.read(reads.account(addressOf("one")))).not.toBeNull();
    view.close();
  });

  test("a view offers the bulk reads of the index at its slot", async () => {
    await fill(store);
    const reader = await openReader(2);
    const view = await reader.openView("finalized");
    await store.commit(slotOf(9, [accountOf("late", { slot: 9 })]));
    const page = await view.index.readAccountPage(null, 1000);
    expect(page.some((state) => state.current.slot === 9)).toBe(false);
    expect(page).toHaveLength(304);
    expect(await view.index.readAssetPage(0, 100)).toHaveLength(20);
    view.close();
  });

  test("opens more sessions after a schema step of a later version, which a new reader refuses", async () => {
    const reader = await openReader(2);
    const first = await reader.openView("finalized");
    const session = await Session.open(parsePostgresUrl(url), { role: "writer" });
    await session.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'");
    await session.close();
    const second = await reader.openView("finalized");
    expect(await second.read(reads.account(addressOf("one")))).not.toBeNull();
    await expect(openReader(1)).rejects.toMatchObject({ code: "STORE__SCHEMA_TOO_NEW" });
    first.close();
    second.close();
  });

  test("keeps nothing of a store that was put back", async () => {
    await store.commit(slotOf(5, [accountOf("two", { slot: 5, programOwner: addressOf("a program") })]));
    const reader = await openReader(2);
    const before = await reader.openView("finalized");
    expect((await before.read(reads.account(addressOf("two"))))?.programOwner).toEqual(
      addressOf("a program"),
    );
    before.close();
    await store.close();
    await dropPostgresStore(url);
    store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    await store.commit(slotOf(2, [accountOf("two", { programOwner: addressOf("another program") })]));
    const after = await reader.openView("finalized");
    expect((await after.read(reads.account(addressOf("two"))))?.programOwner).toEqual(
      addressOf("another program"),
    );
    after.close();
  });

  test("a server that vanished without a word is reported as gone, and its places are lent again", async () => {
    const proxy = await startProxy(under().server.url);
    const reader = await openPostgresReader({ url: proxy.urlOf(url), sessionsMax: 1 });
    readers.push(reader);
    const view = await reader.openView("finalized");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    proxy.swallow();
    const gone = expect(view.read(reads.account(addressOf("one")))).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
    });
    await vi.advanceTimersByTimeAsync(READ_STATEMENT_TIMEOUT_MS + REPLY_GRACE_MS);
    await gone;
    vi.useRealTimers();
    view.close();
    const next = await reader.openView("finalized");
    expect(await next.read(reads.account(addressOf("one")))).toMatchObject({ slot: 1 });
    next.close();
    await proxy.close();
  });

  test("does not depend on what the database, its user or the URL set", async () => {
    const admin = await under().server.connect();
    const { rows } = await admin.query<{ name: string }>("SELECT current_database() AS name");
    const database = `"${rows[0]?.name}"`;
    try {
      await admin.query(`ALTER DATABASE ${database} SET bytea_output = 'escape'`);
      await admin.query(`ALTER DATABASE ${database} SET statement_timeout = ${DATABASE_TIMEOUT_MS}`);
      await store.close();
      const place = `${url}&options=${encodeURIComponent("-c search_path=elsewhere")}`;
      store = await openPostgresStore({ url: place, mode: "write" });
      await store.commit(slotOf(3, [accountOf("three", { slot: 3, data: Uint8Array.of(7, 92, 200) })]));
      const reader = await openPostgresReader({ url: place });
      readers.push(reader);
      const view = await reader.openView("finalized");
      // A read that has to wait takes longer than the database allows.
      await admin.query(
        `BEGIN; LOCK TABLE "${parsePostgresUrl(url).schema}".account IN ACCESS EXCLUSIVE MODE`,
      );
      const reading = view.read(reads.account(addressOf("three")));
      await sleep(2 * DATABASE_TIMEOUT_MS);
      await admin.query("COMMIT");
      expect((await reading)?.data).toEqual(Uint8Array.of(7, 92, 200));
      expect(await view.read(reads.account(addressOf("one")))).toMatchObject({ slot: 1 });
      view.close();
    } finally {
      await admin.query(`ROLLBACK; SET statement_timeout = 0; ALTER DATABASE ${database} RESET ALL`);
      await admin.end();
    }
  });

  test("asks a server that is away a bounded number of times, for any number of callers", async () => {
    const proxy = await startProxy(under().server.url);
    const reader = await openPostgresReader({ url: proxy.urlOf(url), sessionsMax: 4 });
    readers.push(reader);
    proxy.hangUp();
    const before = proxy.connections();
    const startMs = performance.now();
    for (let call = 0; call < 300; call += 1) {
      await expect(reader.openView("finalized")).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
      await sleep(1);
    }
    // Attempts come at first in quick succession, then once in `REOPEN_MAX_MS`: a slow machine has time for more of
    // them.
    const pauses = (performance.now() - startMs) / REOPEN_MAX_MS;
    expect(proxy.connections() - before).toBeLessThan(15 + 2 * pauses);
    await proxy.close();
  });

  test("reports that the server is gone, and serves again when it is back, without being opened again", async () => {
    const reader = await openReader(3);
    const open = await Promise.all([reader.openView("finalized"), reader.openView("finalized")]);
    open[0]?.close();
    await under().server.crash();
    await expect(open[1]?.read(reads.account(addressOf("one")))).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
    });
    open[1]?.close();
    for (let index = 0; index < 5; index += 1) {
      await expect(reader.openView("finalized")).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
    }
    await under().server.restart();
    // Asked ever more seldom in the meantime. All places are free again: none was lost to the failures.
    const patience = { timeout: 300 * REOPEN_MAX_MS, interval: 20 };
    await vi.waitFor(async () => (await reader.openView("finalized")).close(), patience);
    const views = await Promise.all([0, 1, 2].map(() => reader.openView("finalized")));
    for (const view of views) {
      expect(await view.read(reads.account(addressOf("one")))).toMatchObject({ slot: 1 });
      view.close();
    }
    const commit = async () => store.commit(slotOf(2, []));
    await commit().catch(() => undefined);
    await commit();
    expect(await store.readWatermark()).toEqual({ slot: 2, blockhash: null });
  });
});
