import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DERIVATION } from "@lamplight/core";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-derive-"));
const file = join(folder, "demo.db");
const store = `sqlite:${file}`;
beforeAll(() => createDemoStore(file));
afterAll(() => rmSync(folder, { recursive: true }));

const execute = (sql: string): void => {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
};

test("derives the assets of older rules again, and then has nothing to do", async () => {
  const older = DERIVATION - 1;
  // Rows as other rules may have left them.
  execute(`UPDATE meta SET value = '${older}' WHERE key = 'derivation';
UPDATE asset_document SET document = '{}' WHERE ord % 3 = 0; UPDATE asset SET frozen = 1 - frozen WHERE ord % 5 = 0`);
  const verify = await runCommand(["verify", "--store", store]);
  expect([verify.exitCode, verify.stdout]).toEqual([
    1,
    expect.stringContaining("run lamplight derive first"),
  ]);
  const derived = await runCommand(["derive", "--store", store, "--percent", "50"]);
  expect(derived).toMatchObject({
    exitCode: 0,
    stdout: `${store} is derived by rules ${DERIVATION}; it was by rules ${older}\n`,
  });
  expect(derived.stderr).toContain(`assets derived by rules ${DERIVATION}: 100 %`);
  expect((await runCommand(["verify", "--store", store])).exitCode).toBe(0);
  const again = await runCommand(["derive", "--store", store, "--json"]);
  expect(JSON.parse(again.stdout)).toEqual({ event: "derived", store, found: DERIVATION, rules: DERIVATION });
});

test("is refused while another process writes the store", async () => {
  const writer = openSqliteStore({ file, mode: "write" });
  const { exitCode, stderr } = await runCommand(["derive", "--store", store]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("it derives by itself")]);
  writer.close();
});

test.each([
  [["derive"], "--store is missing"],
  [["derive", "--store", store, "--percent", "0"], "--percent must be a whole number, 1 to 100"],
  [["serve", "--store", store, "--no-derive"], "--no-derive needs --follow"],
  [["serve", "--store", store, "--no-sample"], "--no-sample needs --follow"],
])("%j is refused", async (args, sentence) => {
  const { exitCode, stderr } = await runCommand(args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

test("is refused for a store of several shards, which keeps one set of assets", async () => {
  const shards = "shards://host/db?shard=postgres://host/one";
  const { exitCode, stderr } = await runCommand(["derive", "--store", shards]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining("has several shards and cannot derive its assets again"),
  ]);
});
