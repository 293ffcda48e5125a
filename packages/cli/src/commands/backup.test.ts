/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LamplightError } from "@lamplight/errors";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-backup-"));
const storeFile = join(folder, "demo.db");

beforeAll(() => createDemoStore(storeFile));
afterAll(() => rmSync(folder, { recursive: true }));

const backup = (to: string, store = `sqlite:${storeFile}`) =>
  runCommand(["backup", "--store", store, "--to", to]);

const identityOf = async (file: string) => {
  const reader = openSqliteReader({ file });
  const view = await reader.openView("finalized");
  const { storeId, changeSeq, nextOrdinal } = view.terms;
  const identity = { storeId, rest: { slot: view.slot, changeSeq, nextOrdinal, coverage: view.coverage } };
  view.close();
  reader.close();
  return identity;
};

describe("lamplight backup", () => {
  test("copies a store to its last slot, sound, under a name of its own for the search index", async () => {
    const file = join(folder, "copy.db");
    const { exitCode, stdout, stderr } = await backup(file);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const [original, copy] = [await identityOf(storeFile), await identityOf(file)];
    expect(stdout).toBe(`${file} holds ${storeFile} at slot ${original.rest.slot}\n`);
    expect(copy.rest).toEqual(original.rest);
    expect(copy.storeId).not.toBe(original.storeId);
    const verified = await runCommand(["verify", "--store", `sqlite:${file}`]);
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining(": sound (")]);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("of a damaged store names it in one line, with the first findings, and leaves no copy", async () => {
    const file = join(folder, "damaged.db");
    await backup(file);
    const bytes = readFileSync(file);
    // Every page behind the first ones, which are needed to open the store.
    for (let at = bytes.length / 2; at < bytes.length; at += 8192) bytes.fill(0xff, at + 100, at + 400);
    writeFileSync(file, bytes);
    const to = join(folder, "of-damaged.db");
    const { exitCode, stderr } = await backup(to, `sqlite:${file}`);
    const line =
      /^lamplight: \S*\/damaged\.db is damaged: Tree [^;]+; [^;]+; and \d+ more; restore a backup, or load it again\n$/u;
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(line)]);
    expect([existsSync(to), existsSync(`${to}.partial`)]).toEqual([false, false]);
  });

  test("gives complete slots while a writer goes on", async () => {
    const file = join(folder, "written.db");
    const script = `const { parentPort, workerData } = require("node:worker_threads");
(async () => {
  const { openSqliteStore } = await import(workerData.module);
  const store = openSqliteStore({ file: workerData.file, mode: "write" });
  let going = true;
  parentPort.once("message", () => { going = false; });
  const asset = (slot, which) => ({ ...workerData.asset, id: new Uint8Array(32).fill(which), updatedSlot: slot,
    document: JSON.stringify({ slot, pad: "x".repeat(20000) }) });
  let slot = 1;
  for (; going; slot += 1) {
    store.commit({ ...workerData.empty, watermark: { slot, blockhash: null },
      assets: Array.from({ length: 200 }, (_, which) => asset(slot, which)) });
    if (slot === 3) parentPort.postMessage("ready");
    await new Promise((resolve) => setImmediate(resolve));
  }
  store.close();
  parentPort.postMessage(slot - 1);
  parentPort.close();
})();`;
    const { emptyChangeSet } = await import("@lamplight/core");
    const demo = openSqliteStore({ file: storeFile, mode: "write" });
    const [asset] = await demo.readAssetPage(0, 1);
    await demo.close();
    const module = import.meta.resolve("@lamplight/store-sqlite");
    const worker = new Worker(script, {
      eval: true,
      workerData: { file, module, empty: emptyChangeSet, asset },
    });
    await once(worker, "message");
    const results: Awaited<ReturnType<typeof backup>>[] = [];
    for (let index = 0; index < 3; index += 1) {
      results.push(await backup(join(folder, `moment-${index}.db`), `sqlite:${file}`));
    }
    worker.postMessage("stop");
    const [last] = (await once(worker, "message")) as [number];
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const slots: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      const store = openSqliteStore({ file: join(folder, `moment-${index}.db`), mode: "write" });
      const slot = (await store.readWatermark())?.slot as number;
      const page = await store.readAssetPage(0, 1000);
      expect(page).toHaveLength(200);
      for (const { document } of page) expect((JSON.parse(document) as { slot: number }).slot).toBe(slot);
      expect(await store.checkIntegrity()).toEqual([]);
      await store.close();
      slots.push(slot);
    }
    expect(slots).toEqual(slots.toSorted((a, b) => a - b));
    expect(last).toBeGreaterThan(slots[0] as number);
  });

  test("overwrites nothing and copies nothing but stores", async () => {
    const taken = join(folder, "taken.db");
    writeFileSync(taken, "mine");
    expect(await backup(taken)).toMatchObject({
      exitCode: 1,
      stderr: `lamplight: ${new LamplightError("STORE__EXISTS", { store: taken }).message}\n`,
    });
    const foreign = await backup(join(folder, "no.db"), `sqlite:${taken}`);
    expect(foreign).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("not a") as string });
    expect(existsSync(join(folder, "no.db"))).toBe(false);
    expect(await backup("x", "sqlite:/does/not/exist.db")).toMatchObject({
      stderr: expect.stringContaining("/does/not/exist.db does not exist") as string,
    });
    expect(await backup("x", "postgres://u:hush@h/d")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("pg_dump") as string,
    });
    expect(await runCommand(["backup", "--store", "sqlite:x"])).toMatchObject({ exitCode: 2 });
  });
});
