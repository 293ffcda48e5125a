import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { offchainRow } from "@lamplight/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFile } from "../../test/temporary-file.ts";
import { Connection } from "../engine/connection.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { openSqliteDocuments } from "./open-sqlite-documents.ts";

const row = offchainRow("https://a.test/1.json", { json: "{}", status: "ok" });

let file: string;
let remove: () => void;
beforeEach(() => ({ file, remove } = temporaryFile()));
afterEach(() => remove());

test("waits for a commit of another process, without blocking its own", async () => {
  await openSqliteStore({ file, mode: "write" }).close();
  const documents = openSqliteDocuments({ file });
  // Another process in the middle of a long commit.
  const script = `const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(${JSON.stringify(file)});
database.exec("BEGIN IMMEDIATE");
console.log("open");
process.stdin.once("data", () => { database.exec("COMMIT"); database.close(); process.exit(); });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  let isWritten = false;
  const writing = Promise.resolve(documents.offchain.writeRows([row])).then(() => (isWritten = true));
  // Timers of this process run while the write waits.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isWritten).toBe(false);
  child.stdin.write("go on\n");
  await writing;
  expect(await documents.offchain.readRows([row.uri])).toEqual([row]);
  await documents.close();
});

test("a transaction that is left open passes, unlike a writer that has the store", async () => {
  const store = openSqliteStore({ file, mode: "write" });
  const hung = new Connection(file, { readOnly: false, busyMs: 0 });
  const writer = new Connection(file, { readOnly: false, busyMs: 0 });
  const write = (): void => writer.write(() => writer.execute("UPDATE head SET id = 1"));
  hung.write(() => expect(write).toThrow(expect.objectContaining({ code: "STORE__FILE_LOCKED" })));
  write();
  writer.close();
  hung.close();
  expect(() => openSqliteStore({ file, mode: "write" })).toThrow(
    expect.objectContaining({ code: "STORE__LOCKED" }),
  );
  await store.close();
});

test("refuses a second one, a file that was replaced, and one that is not there", async () => {
  expect(() => openSqliteDocuments({ file })).toThrow(/does not exist/u);
  await openSqliteStore({ file, mode: "write" }).close();
  const documents = openSqliteDocuments({ file });
  expect(() => openSqliteDocuments({ file })).toThrow(expect.objectContaining({ code: "STORE__LOCKED" }));
  renameSync(file, `${file}.old`);
  await expect(documents.offchain.writeRows([row])).rejects.toMatchObject({ code: "STORE__REPLACED" });
  await documents.close();
});
