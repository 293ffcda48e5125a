import { expect, test, vi } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { PostgresKeyTables } from "./key-tables.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";

const audit = "{}";
const row = (key: string, requests: number, hour = 48) => ({
  hour,
  key,
  method: "getAsset",
  requests,
  units: 2,
});

/** Sessions of all tables. */
const countSessions = async (other: Session): Promise<number> => {
  const [counted] = await other.execute(
    `SELECT count(*)::int FROM pg_stat_activity
WHERE application_name = 'lamplight writer' AND pid <> pg_backend_pid()`,
  );
  return counted![0] as number;
};

/** Statements that wait for a lock. */
const countWaiting = async (other: Session): Promise<number> => {
  const [counted] = await other.execute(
    "SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'relation'",
  );
  return counted![0] as number;
};

describeWithPostgres("tables of API keys", (under) => {
  const openTables = (): PostgresKeyTables => new PostgresKeyTables(under().newStore());

  test("are made by the first change; changes come one after the other, and none is lost", async () => {
    const nodes = [openTables(), openTables(), openTables()];
    const [first] = nodes;
    await expect(first!.read(null)).rejects.toMatchObject({ code: "STORE__MISSING" });
    const names = Array.from({ length: 9 }, (_, index) => `key ${index}`);
    // One session has one transaction at a time.
    await Promise.all(
      nodes.map(async (node, at) => {
        for (const name of names.slice(3 * at, 3 * at + 3))
          await node.change((records) => ({ records: [...records, name], audit }));
      }),
    );
    const read = await first!.read(null);
    expect(read!.records.toSorted()).toEqual(names);
    expect(read!.version).toBe(9);
    expect(await first!.read(9)).toBeNull();
    await expect(
      first!.change(() => {
        throw new Error("refused");
      }),
    ).rejects.toThrow("refused");
    await first!.change((records) => ({ records: records.slice(1), audit }));
    expect((await nodes[1]!.read(9))!.records).toHaveLength(8);

    await Promise.all(
      nodes.map((node, at) =>
        node.addUse([row("b", 1), row("a", 10 * at), row("a", 1, 49), row("a", 1, 80)]),
      ),
    );
    expect(new Map((await first!.listDay(2)).map(([key, requests]) => [key, requests]))).toEqual(
      new Map([
        ["a", 33],
        ["b", 3],
      ]),
    );
    expect((await first!.listUse(0, 49)).map(({ key, requests }) => [key, requests])).toEqual([
      ["a", 30],
      ["b", 3],
    ]);
    await first!.prune(72);
    expect(await first!.listDay(2)).toEqual([]);
    expect((await first!.listUse(0, 1000)).map(({ hour }) => hour)).toEqual([80]);
    for (const node of nodes) await node.close();
  });

  const openOther = (): Promise<Session> =>
    Session.open(parsePostgresUrl(under().newStore()), { role: "writer" });

  test("a failed statement leaves no session open", async () => {
    const [other, tables] = [await openOther(), openTables()];
    await tables.change((records) => ({ records, audit }));
    await other.execute("DROP TABLE lamplight_keys.api_key");
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(tables.read(null)).rejects.toMatchObject({ code: "STORE__MISSING" });
    await vi.waitFor(async () => expect(await countSessions(other)).toBe(1), { timeout: 20_000 });
    await tables.close();
    await other.close();
  });

  test("a statement that hangs ends with its timeout, or when the tables are closed", async () => {
    const other = await openOther();
    const tables = new PostgresKeyTables(under().newStore(), 500);
    const patient = openTables();
    await tables.change((records) => ({ records, audit }));
    await patient.read(null);
    await other.execute("BEGIN; LOCK TABLE lamplight_keys.key_use");
    await expect(tables.addUse([row("held", 1)])).rejects.toMatchObject({ code: "QUERY__OVER_BUDGET" });
    const waiting = expect(patient.addUse([row("held", 1)])).rejects.toThrow();
    await vi.waitFor(async () => expect(await countWaiting(other)).toBe(1), { timeout: 20_000 });
    await patient.close();
    await waiting;
    await other.execute("ROLLBACK");
    await tables.addUse([row("held", 1)]);
    expect((await tables.listUse(48, 49)).map(({ key }) => key)).toContain("held");
    await tables.close();
    await other.close();
  });

  test("rows are written and forgotten in several statements where they are many", async () => {
    const tables = openTables();
    await tables.change((records) => ({ records, audit }));
    const before = await tables.listUse(0, 48);
    expect(before).toEqual([]);
    await tables.addUse(Array.from({ length: 45_000 }, (_, index) => row(`key ${index}`, 1, 24)));
    expect(await tables.listDay(1)).toHaveLength(45_000);
    expect(await tables.listUse(24, 25)).toHaveLength(45_000);
    await tables.prune(48);
    expect(await tables.listUse(0, 48)).toEqual([]);
    expect(await tables.listDay(1)).toEqual([]);
    await tables.close();
  });

  test("a node whose clock is ahead forgets no rows that others keep", async () => {
    const tables = openTables();
    await tables.change((records) => ({ records, audit }));
    const hour = Math.floor(Date.now() / 3_600_000);
    await tables.addUse([row("old", 1, hour - 100), row("new", 1, hour - 20)]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400 * 24 * 3_600_000 });
    try {
      await tables.prune(Math.floor(Date.now() / 3_600_000) - 50);
    } finally {
      vi.useRealTimers();
    }
    expect((await tables.listUse(hour - 200, hour)).map(({ key }) => key)).toEqual(["new"]);
    await tables.close();
  });
});
