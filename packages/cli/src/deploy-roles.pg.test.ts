import { readFileSync } from "node:fs";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The script as psql would send it: the lines that read the environment are its own. */
const script = readFileSync(new URL("../deploy/roles.sql", import.meta.url), "utf8")
  .replaceAll(/^\\.*$/gmu, "")
  .replaceAll(/:'(\w+)'/gu, "'$1'");

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
    await expect(
      openPostgresStore({ url: urlOf("lamplight_api"), mode: "write", create: false }),
    ).rejects.toThrow(/read-only|permission denied|cannot be written/u);
  });
});
