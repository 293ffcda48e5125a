import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { IndexStore } from "@lamplight/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";

let folder: string;
let file: string;
let child: ChildProcess;
let lines: AsyncIterator<string>;

const openWriter = (): IndexStore => openSqliteStore({ file, mode: "write" });

/** Changes whether the folder can be written. Users such as root can write it anyway. */
const forbid = (isForbidden: boolean): void => chmodSync(join(folder, "closed"), isForbidden ? 0o555 : 0o755);

const look = async (): Promise<string> => {
  child.stdin!.write("look\n");
  return (await lines.next()).value as string;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-immutable-"));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "closed"));
  file = join(folder, "closed", "store.db");
  const store = openWriter();
  await store.commit(slotOf(1, [accountOf("one")]));
  await store.close();
  const script = fileURLToPath(new URL("../../test/read-as-nobody.ts", import.meta.url));
  child = spawn(process.execPath, [...process.execArgv, script, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
});
afterEach(() => {
  child.kill();
  forbid(false);
  rmSync(folder, { recursive: true });
});

test("serves a store where nothing can be written, and what is written there by others", async () => {
  forbid(true);
  expect(await look()).toBe("slot 1 of 1, immutable true");
  forbid(false);
  const store = openWriter();
  await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
  forbid(true);
  expect(await look()).toBe("slot 2 of 2, immutable false");
  await store.commit(slotOf(3, [accountOf("three", { slot: 3 })]));
  expect(await look()).toBe("slot 3 of 3, immutable false");
  forbid(false);
  await store.commit(slotOf(4, []));
  await store.close();
  forbid(true);
  expect(await look()).toContain("slot 4 of 3");
});

test("refuses one with a log that cannot be taken in, and says what to do", async () => {
  const store = openWriter();
  await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
  const [kept, keptLog] = [join(folder, "kept"), join(folder, "kept-log")];
  copyFileSync(file, kept);
  copyFileSync(`${file}-wal`, keptLog);
  await store.close();
  copyFileSync(kept, file);
  copyFileSync(keptLog, `${file}-wal`);
  expect(existsSync(`${file}-shm`)).toBe(false);
  forbid(true);
  expect(await look()).toBe(
    `${file} has an unmerged WAL (${file}-wal) in a read-only folder. Run lamplight migrate where the folder is writable, or serve a copy made by lamplight backup`,
  );
});
