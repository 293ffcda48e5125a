import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { codeOf } from "../../test/code-of.ts";
import { temporaryFile } from "../../test/temporary-file.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { openSqliteReader } from "../reader/open-sqlite-reader.ts";
import { realFile } from "./store-path.ts";

let file: string;
let remove: () => void;
beforeEach(() => {
  ({ file, remove } = temporaryFile());
});
afterEach(() => remove());

const openWriter = (path = file) => openSqliteStore({ file: path, mode: "write" });

test("one writer holds all links to its file, also where a link was there first", async () => {
  const [first, second] = [`${file}.first`, `${file}.second`];
  for (const link of [first, second]) symlinkSync(basename(file), link);
  const store = openWriter(first);
  expect([file, second].map((path) => codeOf(() => openWriter(path)))).toEqual([
    "STORE__LOCKED",
    "STORE__LOCKED",
  ]);
  await store.close();
  await openWriter().close();
});

test("links lead over folders that are links, and a circle leads nowhere", () => {
  const folder = dirname(file);
  mkdirSync(join(folder, "deep", "inner"), { recursive: true });
  symlinkSync(join("deep", "inner"), join(folder, "short"));
  symlinkSync(join("..", "store.db"), join(folder, "deep", "inner", "link"));
  expect(realFile(join(folder, "short", "link"))).toBe(join(folder, "deep", "store.db"));
  symlinkSync("circle", join(folder, "circle"));
  expect(realFile(join(folder, "circle"))).toBe(join(folder, "circle"));
});

test("a pipe is no store: no one waits for it, and nothing is left next to it", () => {
  execFileSync("mkfifo", [file]);
  expect(codeOf(openWriter)).toBe("STORE__NOT_A_STORE");
  expect(codeOf(() => openSqliteReader({ file }).openView("finalized"))).toBe("STORE__NOT_A_STORE");
  expect(readdirSync(dirname(file))).toEqual([basename(file)]);
});
