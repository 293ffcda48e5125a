import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLamplightError } from "@lamplight/errors";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openSqliteImport } from "../copy/import-store.ts";
import { openSqliteReader } from "../reader/open-sqlite-reader.ts";
import { lockLoadTarget, releaseLoadTarget } from "./load-target.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-target-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a pipe is refused, not replaced", () => {
  const file = join(folder, "pipe");
  execFileSync("mkfifo", [file]);
  let thrown: unknown;
  try {
    releaseLoadTarget(lockLoadTarget(file));
  } catch (error) {
    thrown = error;
  }
  expect(isLamplightError(thrown, "STORE__NOT_A_STORE")).toBe(true);
  expect(readdirSync(folder)).toEqual(["pipe"]);
});

test("a link stays, and the store is behind it", async () => {
  mkdirSync(join(folder, "disk"));
  const link = join(folder, "link.db");
  symlinkSync(join("disk", "store.db"), link);
  const copy = openSqliteImport({ file: link, holdings: true });
  const watermark = { slot: 7, blockhash: null };
  const head = { watermark, changeSeq: 0, nextOrdinal: 0, holdings: true, holders: false };
  await copy.finish({ ...head, coverage: { kind: "whole" }, notes: {} }, () => {});
  await copy.close();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder)).toEqual(["disk", "link.db"]);
  const reader = openSqliteReader({ file: join(folder, "disk", "store.db") });
  const view = await reader.openView("finalized");
  expect(view.slot).toBe(7);
  view.close();
  reader.close();
});
