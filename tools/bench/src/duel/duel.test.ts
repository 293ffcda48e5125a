// A duel between servers of this project: answers are compared, both are loaded, and processor time is counted.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { createIndexer } from "@lamplight/indexer";
import type { Account } from "@lamplight/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { duelLines, runDuel } from "./duel.ts";
import { readDuelOptions } from "./duel-options.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-duel-"));
const closing: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  rmSync(folder, { recursive: true });
});

const wallet = (lamports: bigint): Account => ({
  address: new Uint8Array(32).fill(9),
  programOwner: new Uint8Array(32),
  lamports,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(0),
  slot: 5,
  writeVersion: 0,
});

const serve = async (name: string, lamports: bigint): Promise<string> => {
  const file = join(folder, `${name}.db`);
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts([wallet(lamports)], { slot: 5, blockhash: null });
  await store.close();
  const reader = openSqliteReader({ file });
  closing.push(() => reader.close());
  const server = await startServer({ viewSource: reader, keys: ["duel"], port: 0 });
  closing.push(() => server.stop());
  return `${server.url}/v3/duel`;
};

const requests = join(folder, "requests.json");
let ours = "";
let same = "";
let other = "";
beforeAll(async () => {
  const params = [encodeAddress(wallet(1n).address), { encoding: "base64" }];
  writeFileSync(requests, JSON.stringify({ wallets: [{ method: "getAccountInfo", params }] }));
  [ours, same, other] = [await serve("ours", 7n), await serve("same", 7n), await serve("other", 8n)];
});

const duel = (theirs: string) =>
  runDuel(
    readDuelOptions([
      `--ours=${ours}`,
      `--our-pid=${process.pid}`,
      `--theirs=${theirs}`,
      `--requests=${requests}`,
      "--rounds=1",
      "--seconds=1",
      "--connections=2",
    ]),
    () => {},
  );

test("two servers with the same account answer the same, and are measured", async () => {
  const [result] = await duel(same);
  expect(result).toMatchObject({ work: "wallets", asked: 1, differing: [] });
  expect(Math.min(...result!.perSecond)).toBeGreaterThan(0);
  expect(result!.cpuMicros[0]).toBeGreaterThan(0);
  expect(result!.cpuMicros[1]).toBeNull();
  expect(duelLines([result!]).join("\n")).toMatch(
    /^wallets: .* requests per second, ratio .*0 of 1 answers differ$/u,
  );
});

test("an answer that differs is shown", async () => {
  const [result] = await duel(other);
  expect(result!.differing).toHaveLength(1);
  expect(duelLines([result!])[0]).toContain("getAccountInfo");
});

test("what is missing is named", () => {
  expect(() => readDuelOptions([`--ours=${ours}`])).toThrow("--ours, --theirs and --requests are needed");
});
