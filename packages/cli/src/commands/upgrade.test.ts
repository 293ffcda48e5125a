import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";
import {
  expectNodeServesThroughSchemaStep,
  expectOtherFormatsRefused,
  type UpgradedStore,
} from "../../test/upgrade.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-upgrade-"));
const file = join(folder, "demo.db");
beforeAll(() => createDemoStore(file));
afterAll(() => rmSync(folder, { recursive: true }));

const store: UpgradedStore = {
  url: `sqlite:${file}`,
  execute: async (sql) => {
    const database = new DatabaseSync(file);
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  },
  raiseSchema: "PRAGMA user_version = 99",
};

test("a file of another format is refused by every command, and left as it is", () =>
  expectOtherFormatsRefused(store));

test("a file without a table gets the schema of this version, and keeps it", async () => {
  writeFileSync(join(folder, "new.db"), "");
  for (let time = 0; time < 2; time += 1) {
    const { exitCode, stdout } = await runCommand(["migrate", "--store", `sqlite:${join(folder, "new.db")}`]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("has the schema of this version")]);
  }
});

test("migrate makes no store of a typo, unless it is asked to", async () => {
  const typo = join(folder, "typo.db");
  const migrate = ["migrate", "--store", `sqlite:${typo}`];
  expect(await runCommand(migrate)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `lamplight: sqlite:${typo} does not exist; correct --store, or create an empty store with --create\n`,
  });
  expect(existsSync(typo)).toBe(false);
  expect((await runCommand([...migrate, "--create"])).exitCode).toBe(0);
  expect((await runCommand(migrate)).exitCode).toBe(0);
});

test("a node serves through a schema step of a later version, which a new node refuses", () =>
  expectNodeServesThroughSchemaStep(store));
