import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { type IndexStore, type LoggedStore, ROWS_FORMAT, reads } from "@lamplight/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBulkLoad } from "./bulk/bulk-load.ts";
import { backupSqliteStore } from "./copy/backup-store.ts";
import { openSqliteExport } from "./copy/export-store.ts";
import { openSqliteImport } from "./copy/import-store.ts";
import { translateEngineError } from "./engine/engine-errors.ts";
import { PAGE_BYTES } from "./engine/settings.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { openSqliteReader } from "./reader/open-sqlite-reader.ts";
import { accountOf, addressOf, fill, slotOf, tokenAccountOf } from "@lamplight/store-conformance/small-chain";
import { codeOf } from "../test/code-of.ts";
import { temporaryFile } from "../test/temporary-file.ts";

let file: string;
let remove: () => void;
beforeEach(() => {
  ({ file, remove } = temporaryFile());
});
afterEach(() => remove());

const openWriter = () => openSqliteStore({ file, mode: "write" });
const openReader = () => openSqliteReader({ file });

const criterion = (ownerModel: "single" | "token" | null) =>
  ({ kind: "owner", owner: addressOf("wallet"), ownerModel, includeZero: false }) as const;

/** Overwrites the head of every page of one table. */
const damageTable = (name: string): void => {
  const database = new DatabaseSync(file, { readOnly: true });
  const pages = database.prepare("SELECT pageno FROM dbstat WHERE name = ?").all(name) as {
    pageno: number;
  }[];
  database.close();
  const handle = openSync(file, "r+");
  for (const { pageno } of pages) writeSync(handle, Buffer.alloc(64, 0xee), 0, 64, (pageno - 1) * PAGE_BYTES);
  closeSync(handle);
};

describe("a writer with a checkpoint thread", () => {
  test("leaves moving the log into the file to it, and closes with it", async () => {
    const store = openSqliteStore({ file, mode: "write", checkpoints: "thread" });
    const bytes = statSync(file).size;
    const accounts = Array.from({ length: 500 }, (_, number) => tokenAccountOf(number));
    await store.commit(slotOf(1, accounts));
    // No commit comes any more, and none has grown the log so far that it would do it itself.
    while (statSync(file).size === bytes) await new Promise((resolve) => setTimeout(resolve, 20));
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    const again = openWriter();
    expect(await again.readAccountPage(null, 1000)).toHaveLength(accounts.length);
    await again.close();
  });
});

describe("a checkpoint thread that fails", () => {
  test("is reported, and the store goes on without it", async () => {
    const problems: string[] = [];
    const onProblem = (line: string): void => void problems.push(line);
    const store = openSqliteStore({ file, mode: "write", checkpoints: "thread", onProblem });
    expect("logState" in store && store.logState).toMatchObject({ isMoved: true });
    // The thread finds no such folder when it opens the file; the writer has it open.
    const [from, to] = [dirname(file), `${dirname(file)}-moved`];
    renameSync(from, to);
    while (problems.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    renameSync(to, from);
    expect(problems).toEqual([expect.stringMatching(/has ended, commits do it now/u)]);
    await store.commit(slotOf(1, [tokenAccountOf(1)]));
    const { logState } = store as IndexStore & LoggedStore;
    expect(logState.isMoved).toBe(false);
    expect(logState.bytes).toBeGreaterThan(0);
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});

describe("one writer at a time", () => {
  test("refuses a second writer at once, and lets the next one in after close", async () => {
    const store = openWriter();
    expect(codeOf(openWriter)).toBe("STORE__LOCKED");
    await store.close();
    await openWriter().close();
  });

  test("refuses a writer while another process writes, until that process dies", async () => {
    const script = `
      const { openWriter } = await import(${JSON.stringify(new URL("../test/crash-writer-module.ts", import.meta.url).href)});
      globalThis.store = await openWriter(${JSON.stringify(file)});
      console.log("open");
      setInterval(() => {}, 1000);`;
    const writer = spawn(process.execPath, [...process.execArgv, "--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(writer.stdout, "data");
    expect(codeOf(openWriter)).toBe("STORE__LOCKED");
    const reader = openReader();
    expect(codeOf(() => reader.openView("finalized"))).toBe("STORE__LOADING");
    reader.close();
    writer.kill("SIGKILL");
    await once(writer, "exit");
    await openWriter().close();
  });
});

describe("files that cannot be opened", () => {
  test("names a missing file and a missing folder", () => {
    expect(codeOf(openReader)).toBe("STORE__MISSING");
    file = `${file}/no/such/folder/index.db`;
    expect(codeOf(openWriter)).toBe("STORE__MISSING");
    expect(codeOf(openReader)).toBe("STORE__MISSING");
  });

  test("does not take a text file for a store, nor touch it", () => {
    const text = "not a database, but long enough to have a header of sixteen bytes\n".repeat(20);
    writeFileSync(file, text);
    expect(codeOf(openWriter)).toBe("STORE__NOT_A_STORE");
    expect(codeOf(openReader)).toBe("STORE__NOT_A_STORE");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("does not take another application's SQLite file for a store, nor change its tables", () => {
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE account (name TEXT)");
    other.close();
    expect(codeOf(openWriter)).toBe("STORE__NOT_A_STORE");
    expect(codeOf(openReader)).toBe("STORE__NOT_A_STORE");
    const again = new DatabaseSync(file);
    expect(again.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "account" }]);
    again.close();
  });

  test("makes a store of an empty file, which no reader takes for one before", async () => {
    writeFileSync(file, "");
    expect(codeOf(openReader)).toBe("STORE__NOT_A_STORE");
    await openWriter().close();
    openReader().close();
  });

  test("refuses a store of a newer schema, for writing and for reading, and releases the lock", async () => {
    await openWriter().close();
    const newer = new DatabaseSync(file);
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    expect(codeOf(openWriter)).toBe("STORE__SCHEMA_TOO_NEW");
    expect(codeOf(openWriter)).toBe("STORE__SCHEMA_TOO_NEW");
    expect(codeOf(openReader)).toBe("STORE__SCHEMA_TOO_NEW");
  });

  test.each([
    ["of an earlier version, which kept no number", "DELETE FROM meta WHERE key = 'rows_format'", 1],
    ["of a later version", "UPDATE meta SET value = '999' WHERE key = 'rows_format'", 999],
  ])("refuses rows %s, however the file is opened, and changes nothing", async (_which, sql, found) => {
    await openWriter().close();
    const other = new DatabaseSync(file);
    other.exec(sql);
    // A step of the schema would change the rows of a store that is refused.
    other.exec("PRAGMA user_version = 2; DROP TABLE incomplete_tree");
    other.close();
    for (const open of [openWriter, openReader, () => openSqliteExport(file)])
      expect(open).toThrow(
        `${file} holds rows of format ${found}, this version uses format ${ROWS_FORMAT}: ${found > ROWS_FORMAT ? "use a newer Lamplight, or " : ""}load again, into a new file`,
      );
    const to = `${file}.copy`;
    await expect(backupSqliteStore({ from: file, to })).rejects.toMatchObject({
      code: "STORE__OTHER_FORMAT",
    });
    const left = new DatabaseSync(file, { readOnly: true });
    expect(left.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
    left.close();
  });

  test("gives every way of making a store the number of its rows' format", async () => {
    await openWriter().close();
    const copy = `${file}.copy`;
    const imported = `${file}.imported`;
    await backupSqliteStore({ from: file, to: copy });
    const target = openSqliteImport({ file: imported, holdings: true });
    const source = openSqliteExport(file);
    expect(source.head.notes).not.toHaveProperty("rows_format");
    await target.finish(source.head, () => {});
    await target.close();
    await source.close();
    for (const made of [file, copy, imported]) {
      const database = new DatabaseSync(made, { readOnly: true });
      expect(database.prepare("SELECT value FROM meta WHERE key = 'rows_format'").get()).toEqual({
        value: String(ROWS_FORMAT),
      });
      database.close();
    }
  });

  test("knows the engine's word for a file that cannot be written", async () => {
    await openWriter().close();
    const readOnly = new DatabaseSync(file, { readOnly: true });
    const write = () => {
      try {
        readOnly.exec("DELETE FROM account");
      } catch (error) {
        throw translateEngineError(error, file);
      }
    };
    expect(codeOf(write)).toBe("STORE__READ_ONLY");
    readOnly.close();
  });

  test.skipIf(!existsSync("/proc/self"))("refuses to make a store where no file can be made", () => {
    expect(codeOf(() => openSqliteStore({ file: "/proc/index.db", mode: "write" }))).toBe("STORE__READ_ONLY");
  });

  test.skipIf(process.getuid?.() === 0)("refuses to write a read-only file", async () => {
    await openWriter().close();
    const { chmodSync } = await import("node:fs");
    chmodSync(file, 0o444);
    expect(codeOf(openWriter)).toBe("STORE__READ_ONLY");
  });
});

describe("a disk that is full", () => {
  test("keeps the last complete slot and goes on when there is room", async () => {
    const small = openSqliteStore({ file, mode: "write", fileBytesMax: 1_000_000 });
    await small.commit(slotOf(1, [accountOf("kept")]));
    const data = Uint8Array.from({ length: 1_500_000 }, (_, index) => (index * 31) & 255);
    const tooLarge = slotOf(2, [accountOf("kept", { slot: 2 }), accountOf("large", { data })]);
    await expect(small.commit(tooLarge)).rejects.toMatchObject({ code: "STORE__FULL" });
    expect(await small.readWatermark()).toEqual({ slot: 1, blockhash: null });
    expect((await small.readAccountStates([addressOf("kept")]))[0]?.current.slot).toBe(1);
    await small.commit(slotOf(3, [accountOf("kept", { slot: 3 })]));
    await small.close();
    const store = openWriter();
    await store.commit(slotOf(4, [accountOf("large", { data })]));
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
  });
});

describe("a damaged file", () => {
  test("is reported by the check, in sentences", async () => {
    const store = openWriter();
    await fill(store);
    await store.close();
    damageTable("account");
    const damaged = openWriter();
    const problems = await damaged.checkIntegrity();
    expect(problems.join()).toMatch(/page|btree|malformed/i);
    await damaged.close();
  });

  test("is reported by a read, too, with the file's name", async () => {
    const store = openWriter();
    await fill(store);
    await store.close();
    damageTable("account");
    const reader = openReader();
    const view = await reader.openView("finalized");
    expect(codeOf(() => view.read(reads.account(addressOf(1))))).toBe("STORE__CORRUPT");
    view.close();
    reader.close();
  });
});

describe("a store without fungible holdings", () => {
  test("refuses what needs them and answers the rest, also when opened again without saying so", async () => {
    await openSqliteStore({ file, mode: "write", holdings: false }).close();
    const store = openWriter();
    await store.commit(slotOf(1, [tokenAccountOf("token")]));
    await store.commit(slotOf(2, [tokenAccountOf("token", { lamports: 0n, slot: 2 })]));
    await store.commit(slotOf(3, [tokenAccountOf("token", { slot: 3 })]));
    expect(await store.checkIntegrity()).toEqual([]);
    const reader = openReader();
    const view = await reader.openView("finalized");
    for (const ownerModel of ["token", null] as const) {
      const listed = view.terms.listOrdinals(criterion(ownerModel), 5);
      await expect(listed).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    }
    expect(await view.terms.listOrdinals(criterion("single"), 5)).toEqual(new Uint32Array(0));
    const listHoldings = () => view.read(reads.holdings({ tokenOwner: addressOf(1), mints: [] }));
    expect(codeOf(listHoldings)).toBe("STORE__NOT_COVERED");
    view.close();
    reader.close();
    await store.close();
  });
});

test("a closed store leaves one file and its lock behind", async () => {
  const store = openWriter();
  await fill(store);
  await store.close();
  expect([file, `${file}-lock`].map(existsSync)).toEqual([true, true]);
  expect([`${file}-wal`, `${file}-shm`].map(existsSync)).toEqual([false, false]);
});

test("a file whose name reads like a URI is that file", async () => {
  const started = process.cwd();
  process.chdir(dirname(file));
  try {
    const store = openSqliteStore({ file: "file:odd.db?mode=memory", mode: "write" });
    await store.commit(slotOf(1, [accountOf("a")]));
    await store.close();
    const load = openBulkLoad({ file: "file:other.db" });
    await load.finishAccounts({ slot: 1, blockhash: null });
    await (await load.openDerived()).close();
    await load.publish({ kind: "whole" }, {}, () => {});
    await load.close();
    expect([existsSync("file:odd.db?mode=memory"), existsSync("file:other.db")]).toEqual([true, true]);
  } finally {
    process.chdir(started);
  }
});
