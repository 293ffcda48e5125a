import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { offchainRow, type OffchainRow, type StoreImport } from "@lamplight/core";
import { afterEach, expect, test, vi } from "vitest";
import { openPostgresImport } from "./copy/import-store.ts";
import { openPostgresStore, type PostgresIndexStore } from "./open-postgres-store.ts";
import { accountOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { startProxy } from "../test/start-proxy.ts";
import { describeWithPostgres } from "../test/with-postgres.ts";

/** Milliseconds of silence that these tests use in place of a minute. */
const SILENCE_MS = 1200;
/** These bounds only end waits that would otherwise never end. */
const patience = { timeout: 300_000, interval: 100 };

const documentOf = (uri: string): OffchainRow =>
  offchainRow(uri, {
    status: "ok",
    json: "{}",
    sha256: new Uint8Array(32),
    firstSeenMs: 1,
    fetchedMs: 2,
    attempts: 1,
  });

const slot2 = slotOf(2, [accountOf("two", { slot: 2 })]);

describeWithPostgres("a writer that is lost without a word", (under) => {
  const children: ChildProcess[] = [];
  const stores: PostgresIndexStore[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    for (const store of stores.splice(0)) await store.close();
  });

  const open = async (url: string): Promise<PostgresIndexStore> => {
    const store = await openPostgresStore({ url, mode: "write", silenceMs: SILENCE_MS });
    stores.push(store);
    return store;
  };

  test("a frozen one gives its lock to the next, and keeps nothing when it thaws", async () => {
    const url = under().newStore();
    const script = fileURLToPath(new URL("../test/frozen-writer.ts", import.meta.url));
    const child = spawn(process.execPath, [...process.execArgv, script, url, `${SILENCE_MS}`], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("written");
    child.kill("SIGSTOP");
    const next = await vi.waitFor(() => open(url), patience);
    await next.commit(slotOf(2, []));
    child.kill("SIGCONT");
    child.stdin.write("go on\n");
    expect((await lines.next()).value).toBe("STORE__LOCKED");
    expect(await next.readAccountStates([addressOf("two")])).toEqual([null]);
  });

  test("one that lost its lock keeps no document it fetched", async () => {
    const url = under().newStore();
    const store = await open(url);
    const admin = await under().server.connect();
    const head = `${new URL(url).searchParams.get("schema")}.head`;
    // The test acts as a failed network would: the server gives the lock away, and the writer does not know.
    await admin.query(`UPDATE ${head} SET writer_epoch = writer_epoch + 1`);
    await expect(store.offchain?.writeRows([documentOf("https://a.example/1.json")])).rejects.toMatchObject({
      code: "STORE__LOCKED",
    });
    await expect(store.offchain?.writeNotedSeq(7)).rejects.toMatchObject({ code: "STORE__LOCKED" });
    expect(await store.offchain?.readRows(["https://a.example/1.json"])).toEqual([null]);
    expect(await store.offchain?.readNotedSeq()).toBe(0);
    await admin.end();
  });

  /** Begins a load, and sees that the tables hold its one row alone. */
  const expectNextLoad = async (url: string): Promise<StoreImport> => {
    const next = await openPostgresImport({ url, holdings: true });
    await next.write("assetsSeen", [{ id: addressOf("three"), slot: 1 }]);
    const admin = await under().server.connect();
    const { rows } = await admin.query(
      `SELECT count(*)::integer AS count FROM ${new URL(url).searchParams.get("schema")}.asset_seen`,
    );
    expect(rows).toEqual([{ count: 1 }]);
    await admin.end();
    return next;
  };

  test("a load that lost its lock may still be copying: the next one ends it before it begins", async () => {
    const url = under().newStore();
    const lost = await openPostgresImport({ url, holdings: true });
    await lost.write("assetsSeen", [{ id: addressOf("one"), slot: 1 }]);
    await under().server.cutSessions("lamplight writer");
    const next = await expectNextLoad(url);
    const late = async () => lost.write("assetsSeen", [{ id: addressOf("two"), slot: 1 }]);
    await expect(late()).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
    await lost.close();
    await next.close();
  });

  test("a load that is not lost keeps its lock while it copies", async () => {
    const url = under().newStore();
    const load = await openPostgresImport({ url, holdings: true });
    await expect(openPostgresImport({ url, holdings: true })).rejects.toMatchObject({
      code: "STORE__LOCKED",
    });
    await load.write("assetsSeen", [{ id: addressOf("one"), slot: 1 }]);
    await load.close();
  });

  test("a load that froze in the midst of a COPY does not keep the next one out", async () => {
    const url = under().newStore();
    const script = fileURLToPath(new URL("../test/frozen-load.ts", import.meta.url));
    const child = spawn(process.execPath, [...process.execArgv, script, url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("copying");
    const admin = await under().server.connect();
    const copied = async (): Promise<readonly unknown[]> =>
      (await admin.query("SELECT pid, bytes_processed FROM pg_stat_progress_copy")).rows;
    // Frozen where the server still waits for more of the same rows.
    await vi.waitFor(async () => {
      child.kill("SIGCONT");
      await vi.waitFor(async () => expect(await copied()).toHaveLength(1), patience);
      child.kill("SIGSTOP");
      let before: readonly unknown[] = [];
      await vi.waitFor(async () => {
        const now = await copied();
        const isSame = JSON.stringify(now) === JSON.stringify(before);
        before = now;
        expect(isSame).toBe(true);
      }, patience);
      expect(before).toHaveLength(1);
    }, patience);
    // The server would do this to its other session after a minute.
    await under().server.cutSessions("lamplight writer");
    const next = await expectNextLoad(url);
    child.kill("SIGCONT");
    expect((await lines.next()).value).toBe("STORE__UNREACHABLE");
    await next.close();
    await admin.end();
  });

  test("one that has nothing to do, or much, keeps its lock", async () => {
    const url = under().newStore();
    const store = await open(url);
    await sleep(2 * SILENCE_MS);
    await expect(open(url)).rejects.toMatchObject({ code: "STORE__LOCKED" });
    const blocker = await under().server.connect();
    await blocker.query(`BEGIN; LOCK TABLE ${new URL(url).searchParams.get("schema")}.account`);
    const committed = store.commit(slot2);
    await sleep(3 * SILENCE_MS);
    await blocker.query("ROLLBACK");
    await blocker.end();
    await committed;
    expect(await store.readWatermark()).toEqual({ slot: 2, blockhash: null });
  });

  test.each(["swallow", "vanish"] as const)(
    "notices that its server is gone (%s) instead of waiting as long as TCP does",
    async (way) => {
      const url = under().newStore();
      const proxy = await startProxy(under().server.url);
      const store = await open(proxy.urlOf(url));
      await store.commit(slotOf(1, [accountOf("one")]));
      proxy[way]();
      await expect(store.commit(slot2)).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
      if (way === "swallow") {
        // Its own lost session, which the server still sees, is not in its way.
        await store.commit(slot2);
        expect(await store.readWatermark()).toEqual({ slot: 2, blockhash: null });
      }
      await proxy.close();
    },
    patience.timeout,
  );
});
