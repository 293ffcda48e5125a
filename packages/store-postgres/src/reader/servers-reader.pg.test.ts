// Readers and writers over a primary and two streaming replicas.

import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { emptyChangeSet, NewestAnswered, type UnfinalizedHead } from "@lamplight/core";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parsePostgresUrl, serverTargets } from "../engine/location.ts";
import {
  REPLICA_LAG_SLOTS_MAX,
  REPLICA_RETURN_MS,
  RESTORED_AFTER_MS,
  SERVER_POLL_MS,
} from "../engine/settings.ts";
import { openPostgresStore, type PostgresIndexStore } from "../open-postgres-store.ts";
import { readUnfinalizedHead } from "../queries/read-unfinalized.ts";
import { openPostgresReader } from "./open-postgres-reader.ts";
import type { PostgresReader } from "./postgres-reader.ts";
import { WatchedServer } from "./watched-server.ts";

const WAIT_MS = 120_000;
const nameOf = ({ port }: TestPostgres): string => `127.0.0.1:${port}`;
const urlOf = (servers: readonly TestPostgres[], target: string | null = null, user = "postgres"): string => {
  const attributes = target === null ? "" : `&target_session_attrs=${target}`;
  return `postgres://${user}@${servers.map(nameOf).join(",")}/postgres?load_balance_hosts=disable${attributes}`;
};
const serverRead = (reader: PostgresReader): string | undefined =>
  reader.servers().find(({ state }) => state === "read")?.server;
const slotReadBy = async (reader: PostgresReader): Promise<number> => {
  const view = await reader.openView("finalized");
  view.close();
  return view.slot;
};
const watches = async (server: TestPostgres): Promise<unknown> =>
  sql(server, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lamplight watch'");
const sql = async (server: TestPostgres, text: string): Promise<unknown> => {
  const client = await server.connect();
  const { rows } = await client.query({ text, rowMode: "array" }).finally(() => client.end());
  return (rows[0] as unknown[] | undefined)?.[0];
};

describePostgres("a store on several servers", () => {
  let primary: TestPostgres;
  let one: TestPostgres;
  let two: TestPostgres;
  let store: PostgresIndexStore;
  let slot = 100;
  const readers: PostgresReader[] = [];

  const moveTo = async (next: number): Promise<void> => {
    slot = next;
    await store.commit({ ...emptyChangeSet, watermark: { slot, blockhash: null } });
  };
  const replayed = (server: TestPostgres): Promise<void> =>
    vi.waitFor(
      async () => expect(Number(await sql(server, "SELECT slot FROM lamplight.head"))).toBe(slot),
      WAIT_MS,
    );
  const open = async (url: string, onServer?: (server: string) => void): Promise<PostgresReader> => {
    const reader = await openPostgresReader({ url, onServer });
    readers.push(reader);
    return reader;
  };

  beforeAll(async () => {
    primary = await startPostgres();
    store = await openPostgresStore({ url: primary.url, mode: "write" });
    await moveTo(slot);
    await store.close();
    // As `deploy/roles.sql` makes the role of readers.
    for (const command of [
      "CREATE ROLE api LOGIN",
      "GRANT USAGE ON SCHEMA lamplight TO api",
      "GRANT SELECT ON ALL TABLES IN SCHEMA lamplight TO api",
      "ALTER ROLE api SET default_transaction_read_only = on",
    ])
      await sql(primary, command);
    [one, two] = [await primary.startReplica(), await primary.startReplica()];
    // Replicas first: the writer finds the primary by itself.
    store = await openPostgresStore({ url: urlOf([one, primary, two]), mode: "write" });
    await moveTo(101);
    await Promise.all([replayed(one), replayed(two)]);
  });
  afterAll(async () => {
    for (const reader of readers) reader.close();
    await store?.close();
    for (const server of [one, two, primary]) await server?.stop();
  });

  test("is read where libpq would connect to", async () => {
    const read = new Map<string, string | undefined>();
    for (const target of serverTargets) {
      const reader = await open(urlOf([primary, one, two], target));
      expect(await slotReadBy(reader)).toBe(slot);
      read.set(target, serverRead(reader));
      reader.close();
    }
    expect(Object.fromEntries(read)).toEqual({
      any: nameOf(primary),
      "read-write": nameOf(primary),
      "read-only": nameOf(one),
      primary: nameOf(primary),
      standby: nameOf(one),
      "prefer-standby": nameOf(one),
    });
    await expect(open(urlOf([primary], "standby"))).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
      message: expect.stringContaining(`${nameOf(primary)} is other role`) as string,
    });
    await expect(openPostgresStore({ url: urlOf([one, two]), mode: "write" })).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
      message: expect.stringContaining("is a standby, not read-write") as string,
    });
  });

  test("has the data of an account where it is read, also once that server is gone", async () => {
    const large = { ...accountOf("large"), data: new Uint8Array(100_000).fill(7) };
    await store.commit(slotOf((slot += 1), [large]));
    await Promise.all([replayed(one), replayed(two)]);
    const reader = await open(urlOf([one, two], "standby", "api"));
    expect(await reader.readFinalizedData(large.address)).toEqual(large.data);
    expect(await reader.readFinalizedData(new Uint8Array(32))).toBeNull();
    await one.crash();
    // Null while the server is being left.
    await vi.waitFor(
      async () => expect(await reader.readFinalizedData(large.address)).toEqual(large.data),
      WAIT_MS,
    );
    expect(serverRead(reader)).toBe(nameOf(two));
    expect((await reader.readBesideViews(readUnfinalizedHead)).watermark?.slot).toBe(slot);
    await one.restart();
    await replayed(one);
  });

  test("is not read where it has not reached what was answered, and the primary answers instead", async () => {
    const read: string[] = [];
    const reader = await open(urlOf([primary, one, two], null, "api"), (server) => read.push(server));
    await sql(two, "SELECT pg_wal_replay_pause()");
    await moveTo(slot + 1);
    await replayed(one);
    expect([await slotReadBy(reader), serverRead(reader)]).toEqual([slot, nameOf(one)]);
    // The next standby is a slot behind.
    await one.crash();
    expect(await slotReadBy(reader)).toBe(slot);
    expect(serverRead(reader)).toBe(nameOf(primary));
    const before = [...read];
    const strict = await open(urlOf([two], "standby"));
    expect(await slotReadBy(strict)).toBe(slot - 1);
    // It is close to the newest for long enough to be preferred, but has not reached what was answered.
    await sleep(REPLICA_RETURN_MS + 4 * SERVER_POLL_MS);
    expect(await slotReadBy(reader)).toBe(slot);
    expect(read).toEqual(before);
    await sql(two, "SELECT pg_wal_replay_resume()");
    await vi.waitFor(() => expect(serverRead(reader)).toBe(nameOf(two)), WAIT_MS);
    expect(await slotReadBy(reader)).toBe(slot);
    await one.restart();
  });

  test("is read from standbys that all lag, where no other server may be read", async () => {
    await sql(two, "SELECT pg_wal_replay_pause()");
    await moveTo(slot + REPLICA_LAG_SLOTS_MAX + 1);
    const reader = await open(urlOf([primary, two], "standby"));
    expect(await slotReadBy(reader)).toBe(slot - REPLICA_LAG_SLOTS_MAX - 1);
    await sql(two, "SELECT pg_wal_replay_resume()");
    await replayed(two);
    await vi.waitFor(async () => expect(await slotReadBy(reader)).toBe(slot), WAIT_MS);
  });

  test("counts as restored where the primary stays behind, also for a role that never writes", async () => {
    const answered = new NewestAnswered();
    answered.noteSlot(slot + 5);
    const reader = await openPostgresReader({ url: urlOf([primary, two], null, "api"), answered });
    readers.push(reader);
    await expect(slotReadBy(reader)).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
    const { now } = performance;
    const later = vi
      .spyOn(performance, "now")
      .mockImplementation(() => now.call(performance) + RESTORED_AFTER_MS);
    try {
      expect([await slotReadBy(reader), answered.slot]).toEqual([slot, slot]);
    } finally {
      later.mockRestore();
    }
  });

  test("keeps nothing of what was read", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const reader = await open(urlOf([primary, two]));
    const heads: WeakRef<UnfinalizedHead>[] = [];
    for (let count = 0; count < 10; count += 1) heads.push(new WeakRef(await reader.readUnfinalizedHead()));
    await slotReadBy(reader);
    await vi.waitFor(() => {
      collect();
      expect(heads.filter((head) => head.deref() !== undefined)).toEqual([]);
    }, WAIT_MS);
  });

  test("a poll in progress opens no session after its server was closed", async () => {
    const [location] = parsePostgresUrl(urlOf([primary, two])).choice!.servers;
    const before = await watches(primary);
    const server = new WatchedServer(location!);
    const polling = server.poll();
    server.close();
    await polling;
    expect(server.problem).toContain("closed");
    await vi.waitFor(async () => expect(await watches(primary)).toBe(before), WAIT_MS);
  });

  test("refuses rather than answering an older slot, in time", async () => {
    await vi.waitFor(async () => expect(await sql(one, "SELECT pg_is_in_recovery()")).toBe(true), WAIT_MS);
    await replayed(one);
    const reader = await open(urlOf([one, two], "standby"));
    expect(serverRead(reader)).toBe(nameOf(one));
    await sql(two, "SELECT pg_wal_replay_pause()");
    await moveTo(slot + 1);
    await replayed(one);
    expect(await slotReadBy(reader)).toBe(slot);
    await one.crash();
    await expect(slotReadBy(reader)).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
      message: expect.stringContaining(`no server has reached slot ${slot}`) as string,
    });
    await expect(async () => reader.readUnfinalizedHead()).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
    });
    await sql(two, "SELECT pg_wal_replay_resume()");
    await vi.waitFor(async () => expect(await slotReadBy(reader)).toBe(slot), WAIT_MS);
    await one.restart();
  });
});
