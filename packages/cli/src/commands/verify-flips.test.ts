// Bits of a loaded store are turned one at a time: anything that changes what it says has to be found.

import {
  copyFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Random } from "@lamplight/devchain";
import { isLamplightError } from "@lamplight/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silent } from "../../test/snapshot-loads.ts";
import { writeChainArchives } from "../../test/chain-archive.ts";
import { loadSnapshot } from "@lamplight/runtime/snapshot";
import { findProblems } from "./verify.ts";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 7);
/** Bits turned. */
const flips = Number(process.env["LAMPLIGHT_FLIPS"] ?? 12);
const FLIP_MS = 50_000;

const folder = mkdtempSync(join(tmpdir(), "lamplight-flips-"));
const whole = join(folder, "whole.db");
const flipped = join(folder, "flipped.db");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const archives = writeChainArchives(folder, 1500);
  await loadSnapshot({ ...archives, store: `sqlite:${whole}`, filter: null, verify: "full" }, silent);
});

/** Every value of every table. The random id of the store is left out, because it does not describe the chain. */
const contentOf = (file: string): ReadonlyMap<string, string> => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const content = new Map<string, string>();
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      const statement = database.prepare(`SELECT * FROM ${name as string} NOT INDEXED`);
      statement.setReadBigInts(true);
      for (const [index, row] of statement.all().entries()) {
        if (row["key"] === "store_id") continue;
        for (const [column, value] of Object.entries(row))
          content.set(
            `${name}.${column} ${index}`,
            value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value),
          );
      }
    }
    return content;
  } finally {
    database.close();
  }
};

/** Null where none did. */
const changeOf = (file: string, expected: ReadonlyMap<string, string>): string | null => {
  let content;
  try {
    content = contentOf(file);
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
  for (const [place, value] of expected) {
    const found = content.get(place);
    if (found !== value) return `${place}: ${value} became ${found}`;
  }
  return content.size === expected.size ? null : "there are more rows";
};

/** Whether anything was found; being refused is being found. */
const isFound = async (file: string): Promise<boolean> => {
  try {
    const { problems, report } = await findProblems(`sqlite:${file}`, () => {});
    return problems.length > 0 || report.differing > 0;
  } catch (error) {
    if (isLamplightError(error)) return true;
    throw error;
  }
};

const flip = (file: string, at: number, bit: number): void => {
  const open = openSync(file, "r+");
  const byte = Buffer.alloc(1);
  readSync(open, byte, 0, 1, at);
  byte[0] = (byte[0] as number) ^ (1 << bit);
  writeSync(open, byte, 0, 1, at);
  closeSync(open);
};

test(
  `finds every turned bit that changes what a store says (LAMPLIGHT_SEED=${seed})`,
  async () => {
    const expected = contentOf(whole);
    expect(await isFound(whole)).toBe(false);
    const random = new Random(seed, 0, 0);
    const size = statSync(whole).size;
    const slipped: string[] = [];
    let found = 0;
    for (let turned = 0; turned < flips; turned += 1) {
      for (const suffix of ["-wal", "-shm", "-lock", ".search"]) rmSync(flipped + suffix, { force: true });
      copyFileSync(whole, flipped);
      const [at, bit] = [random.between(0, size - 1), random.between(0, 7)];
      flip(flipped, at, bit);
      if (await isFound(flipped)) {
        found += 1;
        continue;
      }
      const change = changeOf(flipped, expected);
      if (change !== null) slipped.push(`bit ${bit} of byte ${at}: ${change}`);
    }
    if (process.env["LAMPLIGHT_FLIPS"] !== undefined)
      process.stderr.write(`${flips} bits turned, ${found} found, ${slipped.length} slipped through\n`);
    expect(slipped).toEqual([]);
    expect(found).toBeGreaterThan(0);
  },
  600_000 + flips * FLIP_MS,
);
