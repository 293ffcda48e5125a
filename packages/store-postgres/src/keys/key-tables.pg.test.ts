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
});
