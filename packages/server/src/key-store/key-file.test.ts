import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createKey, disableKey, limitKey, readKeys, rotateKey } from "./key-admin.ts";
import { KeyFile, parseKeyFile } from "./key-file.ts";
import { noLimits, STORED_KEYS_MAX } from "./key-record.ts";
import { hashKey, makeKey } from "./make-key.ts";

let folder: string;
let file: string;
let store: KeyFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-keys-"));
  file = join(folder, "keys.json");
  store = new KeyFile(file);
});
afterEach(() => rmSync(folder, { recursive: true }));

const make = (name: string) => createKey(store, { name, expires: null, limits: noLimits });
const text = (): string => readFileSync(file, "utf8");

test("a key is in no file, only its hash; each change has an audit line", async () => {
  const key = await make("acme");
  expect(key).toMatch(/^lamplight_[0-9A-Za-z]{36}$/u);
  const next = await rotateKey(store, "acme", 60_000);
  await limitKey(store, "acme", { requestsPerDay: 5 });
  await disableKey(store, "acme", true);
  const [record] = await readKeys(store);
  expect(record).toMatchObject({ hash: hashKey(next), previous: { hash: hashKey(key) } });
  expect(record).toMatchObject({ limits: { requestsPerDay: 5 } });
  expect(record!.disabled).not.toBeNull();
  const audit = readFileSync(`${file}.audit`, "utf8");
  for (const secret of [key, next]) expect(text() + audit).not.toContain(secret);
  expect(audit).not.toContain(hashKey(next));
  const lines = audit.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
    "create",
    "rotate",
    "limit",
    "disable",
  ]);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test("changes at the same time are all kept, and a link stays a link", async () => {
  const link = join(folder, "link.json");
  await make("first");
  symlinkSync(file, link);
  const names = Array.from({ length: 5 }, (_, index) => `key-${index}`);
  await Promise.all(
    names.map((name) => createKey(new KeyFile(link), { name, expires: null, limits: noLimits })),
  );
  const records = await readKeys(store);
  expect(records.map(({ name }) => name).toSorted()).toEqual(["first", ...names]);
  expect(statSync(link).ino).toBe(statSync(file).ino);
});

test("a change is refused where the file is damaged, and leaves it as it is", async () => {
  await make("acme");
  const half = text().slice(0, 100);
  writeFileSync(file, half);
  await expect(make("other")).rejects.toThrow("the file is not JSON");
  expect(text()).toBe(half);
});

test("a folder that cannot be written is named", async () => {
  const away = new KeyFile(join(folder, "away", "keys.json"));
  const made = createKey(away, { name: "acme", expires: null, limits: noLimits });
  await expect(made).rejects.toThrow("the folder cannot be written (ENOENT)");
});

test("it is read again only where it has changed", async () => {
  await make("acme");
  const first = await store.read(null);
  expect(await store.read(first!.version)).toBeNull();
  await make("other");
  expect((await store.read(first!.version))!.parse()).toHaveLength(2);
});

const hash = "a".repeat(64);
const created = "2026-01-01T00:00:00Z";
const withKeys = (...keys: readonly unknown[]): string => JSON.stringify({ version: 1, keys });
const one = { name: "acme", hash, created };

test.each([
  ["half a file", withKeys(one).slice(0, 30), "is not JSON"],
  ["another version", JSON.stringify({ version: 2, keys: [] }), "version must be 1"],
  ["a misspelt limit", withKeys({ ...one, limits: { requestPerDay: 1 } }), 'unknown member "requestPerDay"'],
  ["a negative limit", withKeys({ ...one, limits: { requestsPerDay: -1 } }), "must be an integer from 1"],
  ["a huge limit", withKeys({ ...one, limits: { requestsPerSecond: 1e300 } }), "must be an integer from 1"],
  ["half a call", withKeys({ ...one, limits: { concurrency: 0.5 } }), "must be an integer from 1"],
  ["a misspelt method", withKeys({ ...one, limits: { methods: ["getAset"] } }), "did you mean getAsset?"],
  [
    "a method that is no text",
    withKeys({ ...one, limits: { methods: ["getAsset", { toString: 1 }] } }),
    "keys[0].limits.methods[1] must be the name of a method",
  ],
  ["no method", withKeys({ ...one, limits: { methods: [] } }), "must be a list of methods"],
  ["a name of the language", withKeys({ ...one, name: "__proto__" }), "keys[0].name must be 1 to 64"],
  ["a member of that name", '{"version":1,"keys":[{"__proto__":{}}]}', 'unknown member "__proto__"'],
  ["a formula", withKeys({ ...one, name: "=1+1" }), "keys[0].name must be 1 to 64"],
  ["a name twice", withKeys(one, { ...one, hash: "b".repeat(64) }), "keys[1].name is given twice"],
  ["a hash twice", withKeys(one, { ...one, name: "other" }), "keys[1].hash is given twice"],
  ["a key in place of a hash", withKeys({ ...one, hash: "lamplight_key" }), "keys[0].hash must be a SHA-256"],
  [
    "a month that does not exist",
    withKeys({ ...one, expires: "2026-13-01T00:00:00Z" }),
    "no time of the calendar",
  ],
  [
    "a day that does not exist",
    withKeys({ ...one, expires: "2027-02-30T00:00:00Z" }),
    "no time of the calendar",
  ],
  ["no list", JSON.stringify({ version: 1 }), "keys must be a list"],
])("%s is refused", (_, content, message) => {
  expect(() => parseKeyFile(content)).toThrow(message);
});

test("a file has as many keys as a store may have, and not one more", () => {
  const keys = Array.from({ length: STORED_KEYS_MAX + 1 }, (_, index) => ({
    name: `key-${index}`,
    hash: index.toString(16).padStart(64, "0"),
    created,
  }));
  expect(() => parseKeyFile(withKeys(...keys))).toThrow(`more than ${STORED_KEYS_MAX} keys`);
  expect(parseKeyFile(withKeys(...keys.slice(1)))).toHaveLength(STORED_KEYS_MAX);
});

test("keys end with a checksum", () => {
  const keys = Array.from({ length: 100 }, makeKey);
  expect(new Set(keys).size).toBe(100);
  expect(new Set(keys.map((key) => key.slice(-6))).size).toBeGreaterThan(90);
});

test("a pipe in place of the file is refused, not read", async () => {
  execFileSync("mkfifo", [file]);
  await expect(store.read(null)).rejects.toThrow("the file is a folder, a pipe or a device");
});
