import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

test("migrate --dry-run says what it would do, and does nothing", async () => {
  const older = join(folder, "older.db");
  copyFileSync(file, older);
  const database = new DatabaseSync(older);
  database.exec("DROP TABLE asset_next; DROP TABLE holder; DROP TABLE holder_count; PRAGMA user_version = 7");
  database.close();
  const plan = ["migrate", "--store", `sqlite:${older}`, "--dry-run"];
  const lines = [
    expect.stringMatching(/^sqlite:.*, \d+(?:\.\d)? [KM]iB, needs \d+ steps?:$/u),
    "  8  assets as the next rules derive them: other writers of the file wait",
    "  9  token accounts of each mint, where an operator asks for them: other writers of the file wait",
  ];
  expect((await runCommand(plan)).stdout.split("\n").slice(0, 3)).toEqual(lines);
  const serve = await runCommand(["serve", "--port", "0", "--key", "k", "--store", `sqlite:${older}`]);
  expect([serve.exitCode, serve.stderr]).toEqual([1, expect.stringContaining("run lamplight migrate")]);
  expect((await runCommand(plan.slice(0, 3))).exitCode).toBe(0);
  expect((await runCommand(plan)).stdout).toBe(`sqlite:${older} has the schema of this version\n`);
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
