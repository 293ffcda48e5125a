// The bench `reads` over servers of this project: answers are compared, both are loaded, and processor time is counted.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReadsResult, runReads } from "./compare-reads.ts";
import { parseReadsOptions } from "./reads-options.ts";
import { treeSeconds } from "../harness/process-seconds.ts";
import { reportOf } from "./report.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-reads-"));
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

const fill = async (name: string, lamports: bigint): Promise<string> => {
  const file = join(folder, `${name}.db`);
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts([wallet(lamports)], { slot: 5, blockhash: null });
  await store.close();
  return file;
};

const serve = async (file: string): Promise<string> => {
  const reader = openSqliteReader({ file });
  closing.push(() => reader.close());
  const server = await startServer({ viewSource: reader, keys: ["reads"], port: 0, methods: ["das"] });
  closing.push(() => server.stop());
  return `${server.url}/v3/reads`;
};

const requests = join(folder, "requests.json");
const dasRequests = join(folder, "das-requests.json");
let ours = "";
let same = "";
let other = "";
beforeAll(async () => {
  const params = [encodeAddress(wallet(1n).address), { encoding: "base64" }];
  const call = { method: "getAccountInfo", params };
  writeFileSync(requests, JSON.stringify({ wallets: [call, { ours: call, theirs: call }] }));
  ours = await fill("ours", 7n);
  [same, other] = [await serve(await fill("same", 7n)), await serve(await fill("other", 8n))];
});

const compare = async (
  theirs: string,
  more: readonly string[] = [],
  file = requests,
): Promise<ReadsResult> => {
  const flags = [
    `--url=${theirs}`,
    `--pid=${process.pid}`,
    `--store=sqlite:${ours}`,
    `--requests=${file}`,
    "--rounds=1",
    "--seconds=1",
    "--connections=2",
    ...more,
  ];
  const [result] = await runReads(parseReadsOptions(flags), () => {});
  return result!;
};

test("two servers with the same account answer the same, and are measured", async () => {
  const result = await compare(same);
  expect(result).toMatchObject({ work: "wallets", store: "SQLite", asked: 2, wrong: 0 });
  for (const rates of [result.ours, result.theirs]) {
    expect(rates.perSecond).toBeGreaterThan(0);
    expect(rates.serverMicros).toBeGreaterThan(0);
    expect(rates.databaseMicros).toBe(0);
  }
  const report = reportOf([result], "peer");
  expect(report).toMatch(
    /^\| wallets \| SQLite \| [\d,]+ \| [\d,]+ \| [\d.]+ \| [\d,]+ µs .*\| 0 of 2 \|$/mu,
  );
  expect(report).toMatch(/^Without a request, peer keeps \d\.\d\d processors busy/mu);
  expect(report).toContain("All answers are the same.");
});

test("an answer that differs is shown", async () => {
  const result = await compare(other);
  expect(result.wrong).toBe(2);
  expect(reportOf([result], "peer")).toContain("| `result.value.lamports` | 2 | `7` | `8` | WRONG |");
});

/** Answers every call with one asset too many. */
const serveOneMore = async (): Promise<string> => {
  const items = [{ id: encodeAddress(new Uint8Array(32).fill(5)) }];
  const result = { total: 1, limit: 1000, page: 1, items };
  const text = JSON.stringify({ jsonrpc: "2.0", result, id: 0 });
  const server = createServer((_, response) => response.end(text)).listen(0);
  closing.push(() => void server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test("calls of the DAS methods are compared by lamplight diff", async () => {
  const ownerAddress = encodeAddress(wallet(1n).address);
  writeFileSync(
    dasRequests,
    JSON.stringify({ lists: [{ method: "getAssetsByOwner", params: { ownerAddress } }] }),
  );
  const das = (url: string): Promise<ReadsResult> => compare(url, ["--methods=das"], dasRequests);
  const equal = await das(same.replace("/v3/", "/das/"));
  expect(equal).toMatchObject({ work: "lists", asked: 1, wrong: 0 });
  expect(equal.ours.perSecond).toBeGreaterThan(0);
  const different = await das(await serveOneMore());
  expect(different).toMatchObject({ asked: 1, wrong: 1 });
  const report = reportOf([different], "peer");
  expect(report).toMatch(/^\| `getAssetsByOwner \/items\/\*` \| 1 \| absent \| .* \| WRONG \|$/mu);
  expect(report).toMatch(/^\| `getAssetsByOwner` \| 1 \| absent \| absent \| paging: .* \|$/mu);
});

test("processor time is known of processes that exist", () => {
  expect(treeSeconds([])).toBe(0);
  expect(treeSeconds([process.pid])).toBeGreaterThan(0);
  expect(treeSeconds([2 ** 30])).toBeNaN();
});

test("what is missing is named", () => {
  expect(() => parseReadsOptions([`--url=${same}`])).toThrow(
    "--url, --pid, --store and --requests are needed",
  );
});
