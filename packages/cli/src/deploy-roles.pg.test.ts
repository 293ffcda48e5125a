import { readFileSync } from "node:fs";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { createKey, noLimits, openKeyStore } from "@lamplight/server/command";
import {
  openPostgresReader,
  openPostgresStore,
  readPostgresCoverageRequest,
  requestPostgresCoverage,
} from "@lamplight/store-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The script as psql would send it: the lines that read the environment are its own. */
const script = readFileSync(new URL("../deploy/roles.sql", import.meta.url), "utf8")
  .replaceAll(/^\\.*$/gmu, "")
  .replaceAll(/:'(\w+)'/gu, "'$1'");

/** Tables of counts, as text. */
const countTables = async (url: string): Promise<readonly object[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(`
SELECT attrelid::regclass::text AS table, attname, atttypid::regtype::text AS type, attnotnull, pg_get_constraintdef(c.oid) AS key
FROM pg_attribute JOIN pg_constraint AS c ON conrelid = attrelid AND contype = 'p'
WHERE attrelid IN ('lamplight_keys.key_use'::regclass, 'lamplight_keys.key_day'::regclass) AND attnum > 0
ORDER BY 1, attnum`);
  await client.end();
  return rows;
};

describePostgres("deploy/roles.sql", () => {
  let server: TestPostgres;
  const urlOf = (role: string): string => {
    const url = new URL(server.url);
    url.username = role;
    url.password = "test";
    url.pathname = "/lamplight";
    return url.href;
  };
  beforeAll(async () => {
    server = await startPostgres();
    const admin = await server.connect();
    await admin.query("CREATE DATABASE lamplight");
    await admin.end();
    const owner = new Client({ connectionString: urlOf("postgres") });
    await owner.connect();
    await owner.query(script);
    await owner.end();
  });
  afterAll(() => server?.stop());

  test("lets the writer make a store that API nodes read and cannot write", async () => {
    const store = await openPostgresStore({ url: urlOf("lamplight"), mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await store.close();
    const reader = await openPostgresReader({ url: urlOf("lamplight_api") });
    const view = await reader.openView("finalized").catch((error: unknown) => error);
    // Nothing is loaded yet; the role may read that.
    expect(view).toMatchObject({ code: "STORE__LOADING" });
    reader.close();
    const request = `{"add":["${"1".repeat(32)}"]}`;
    await requestPostgresCoverage(urlOf("lamplight"), () => request);
    expect(await readPostgresCoverageRequest(urlOf("lamplight_api"))).toBe(request);
    for (const _ of ["removed", "absent"]) await requestPostgresCoverage(urlOf("lamplight"), () => null);
    expect(await readPostgresCoverageRequest(urlOf("lamplight_api"))).toBeNull();
    await expect(
      openPostgresStore({ url: urlOf("lamplight_api"), mode: "write", create: false }),
    ).rejects.toThrow(/read-only|permission denied|cannot be written/u);
  });

  test("lets API nodes count the calls of keys, and change no key", async () => {
    const made = { name: "acme", expires: null, limits: noLimits };
    const other = new URL(server.url);
    for (const url of [urlOf("lamplight"), other.href]) {
      const keys = await openKeyStore(url);
      await createKey(keys, made);
      await keys.close();
    }
    const tables = await countTables(urlOf("postgres"));
    expect(tables).toHaveLength(9);
    expect(tables).toEqual(await countTables(other.href));
    const keys = await openKeyStore(urlOf("lamplight_api"));
    expect((await keys.read(null))?.parse()).toMatchObject([{ name: "acme" }]);
    const usage = await keys.openUsage("write");
    await usage.add([{ hour: 24, key: "acme", method: "getAsset", requests: 2, units: 3 }]);
    expect(await usage.dayTotals(1)).toEqual(new Map([["acme", { requests: 2, units: 3 }]]));
    await usage.prune(1000);
    expect(await usage.list(0, 1000)).toEqual([]);
    await expect(createKey(keys, { ...made, name: "other" })).rejects.toThrow(/access to .* is refused/u);
    await usage.close();
    await keys.close();
  });
});
