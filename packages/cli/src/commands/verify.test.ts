import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-verify-"));
const storeFile = join(folder, "demo.db");
const store = `sqlite:${storeFile}`;

beforeAll(() => createDemoStore(storeFile));

afterAll(() => rmSync(folder, { recursive: true }));

/** A copy to be changed. */
const tampered = (name: string): string => {
  const file = join(folder, name);
  rmSync(file, { force: true });
  new DatabaseSync(storeFile, { readOnly: true }).exec(`VACUUM INTO '${file}'`);
  return file;
};

describe("lamplight verify", () => {
  test("finds a good store sound", async () => {
    const { exitCode, stdout, stderr } = await runCommand(["verify", "--store", store]);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/demo\.db: sound \(\d+ assets compared\)\n$/u),
    ]);
    expect(stderr).toContain("deriving every asset again");
  });

  test("names an asset whose document is not what its accounts say", async () => {
    const file = tampered("tampered.db");
    const database = new DatabaseSync(file);
    database.exec(`UPDATE asset_document SET document = replace(document, '"mutable":true', '"mutable":false')
      WHERE ord = (SELECT min(ord) FROM asset_document WHERE document LIKE '%"mutable":true%')`);
    database.close();
    const { exitCode, stdout } = await runCommand(["verify", "--store", `sqlite:${file}`]);
    expect(stdout).toMatch(/^asset \w{32,44} differs from its derivation in document$/mu);
    expect(stdout).toContain("NOT sound: 0 problems, 1 assets differ");
    expect(exitCode).toBe(1);
  });

  test("reports of an asset and a link that are missing", async () => {
    const file = tampered("robbed.db");
    const database = new DatabaseSync(file);
    for (const table of ["asset", "asset_document", "asset_creator", "asset_group"])
      database.exec(`DELETE FROM ${table} WHERE ord = 1`);
    database.exec("DELETE FROM link WHERE source = (SELECT min(source) FROM link)");
    database.close();
    const { exitCode, stdout } = await runCommand(["verify", "--store", `sqlite:${file}`]);
    expect(stdout).toMatch(/^problem: assets has (\d+) rows; accounts and leaves need \d+$/mu);
    expect(stdout).toMatch(/^problem: links has (\d+) rows; accounts and leaves need \d+$/mu);
    expect(exitCode).toBe(1);
  });

  test.each([
    ["UPDATE asset_seen SET id = randomblob(32) WHERE id = (SELECT min(id) FROM asset_seen)", 1],
    ["UPDATE asset_seen SET slot = slot + 1 WHERE slot < (SELECT slot FROM head)", 2],
  ])("tells of assets that are not known to have been seen: %s", async (sql, least) => {
    const database = new DatabaseSync(tampered("unseen.db"));
    database.exec(sql);
    database.close();
    const { exitCode, stdout } = await runCommand([
      "verify",
      "--store",
      `sqlite:${join(folder, "unseen.db")}`,
    ]);
    const reported =
      /^problem: (\d+) assets or their parts were recorded as seen later than their accounts/mu.exec(stdout);
    expect(Number(reported?.[1]), stdout).toBeGreaterThanOrEqual(least);
    expect(exitCode).toBe(1);
  });

  test("reports of an account and an asset from the future", async () => {
    const file = tampered("future.db");
    const database = new DatabaseSync(file);
    database.exec("UPDATE account SET slot = slot + (1 << 27) WHERE id = (SELECT max(id) FROM account)");
    database.exec("UPDATE asset_seen SET slot = -1 WHERE id = (SELECT max(id) FROM asset_seen)");
    database.close();
    const { exitCode, stdout } = await runCommand(["verify", "--store", `sqlite:${file}`]);
    expect(stdout).toMatch(/^problem: 1 accounts have a slot above the store's/mu);
    expect(stdout).toMatch(/^problem: 1 assets were first seen at a slot above the store's/mu);
    expect(exitCode).toBe(1);
  });

  test.each([
    ["UPDATE meta SET value = '{' WHERE key = 'coverage'", "opening it"],
    [
      "INSERT INTO ledger VALUES (1, zeroblob(32), zeroblob(32), 'null')",
      "checking the store and its tables",
    ],
  ])("reports what it stumbles over after %s", async (damage, step) => {
    const database = new DatabaseSync(tampered("stumbled.db"));
    database.exec(damage);
    database.close();
    const { exitCode, stdout } = await runCommand([
      "verify",
      "--store",
      `sqlite:${join(folder, "stumbled.db")}`,
    ]);
    expect(stdout).toContain(`problem: ${step} failed: `);
    expect(stdout).toContain("NOT sound");
    expect(exitCode).toBe(1);
  });

  test("refuses what is no store, and makes none", async () => {
    const file = join(folder, "void.db");
    for (const [args, message, code] of [
      [["--store", `sqlite:${file}`], `${file} does not exist`, 1],
      [["--store", file], "invalid store", 1],
      [[], "--store is missing", 2],
    ] as const) {
      const { exitCode, stderr } = await runCommand(["verify", ...args]);
      expect(stderr).toContain(message);
      expect(exitCode).toBe(code);
    }
  });
});
