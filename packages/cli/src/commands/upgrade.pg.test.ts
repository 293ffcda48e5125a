import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";
import {
  expectNodeServesThroughSchemaStep,
  expectOtherFormatsRefused,
  type UpgradedStore,
} from "../../test/upgrade.ts";

describePostgres("an upgrade over PostgreSQL", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-upgrade-"));
  let postgres: TestPostgres;
  let store: UpgradedStore;
  beforeAll(async () => {
    postgres = await startPostgres();
    const file = join(folder, "demo.db");
    await createDemoStore(file);
    const { exitCode, stderr } = await runCommand(["copy", "--from", `sqlite:${file}`, "--to", postgres.url]);
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    store = {
      url: postgres.url,
      execute: async (sql) => {
        const client = await postgres.connect();
        try {
          await client.query("SET search_path = lamplight");
          return (await client.query(sql)).rows as readonly object[];
        } finally {
          await client.end();
        }
      },
      raiseSchema: "UPDATE meta SET value = '99' WHERE key = 'schema_version'",
    };
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  test("a store of another format is refused by every command, and left as it is", () =>
    expectOtherFormatsRefused(store));

  test("an older schema is refused by every command but migrate, which says what it locks", async () => {
    await store.execute("DROP TABLE asset_next, holder, holder_count");
    await store.execute("UPDATE meta SET value = '8' WHERE key = 'schema_version'");
    const refusal = expect.stringContaining("run lamplight migrate (--dry-run shows the steps)");
    for (const args of [
      ["serve", "--port", "0", "--key", "k", "--store", store.url],
      ["derive", "--store", store.url],
      ["follow", "rpc", "http://127.0.0.1:1", "--store", store.url],
    ]) {
      const { exitCode, stderr } = await runCommand(args);
      expect([args[0], exitCode, stderr]).toEqual([args[0], 1, refusal]);
    }
    const plan = await runCommand(["migrate", "--store", store.url, "--dry-run"]);
    expect(plan.stdout).toContain("  9  assets as the next rules derive them: locks no table that exists");
    expect(await store.execute("SELECT value FROM meta WHERE key = 'schema_version'")).toEqual([
      { value: "8" },
    ]);
    expect((await runCommand(["migrate", "--store", store.url])).exitCode).toBe(0);
    expect((await runCommand(["derive", "--store", store.url])).exitCode).toBe(0);
  });

  test("a node serves through a schema step of a later version, which a new node refuses", () =>
    expectNodeServesThroughSchemaStep(store));
});
