// `lamplight keys` and a server with two workers, as processes: a key's life from its first call to its last.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { until } from "../../test/until.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-keys-"));
const keyStore = join(folder, "keys.json");
const store = `sqlite:${join(folder, "demo.db")}`;
const environment = { LAMPLIGHT_KEY_STORE: keyStore };
let server: ChildProcess;
let written = "";
let url: string;
let metricsUrl: string;

const keys = async (...args: readonly string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await runCommand(["keys", ...args, "--key-store", keyStore]);
  expect([exitCode, stderr]).toEqual([0, stderr]);
  return stdout.trim();
};

const call = (key: string, method = "getLargestAccounts") =>
  fetch(`${url}/v3/${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }),
  });
const statusOf = async (key: string): Promise<number> => {
  const response = await call(key);
  await response.text();
  return response.status;
};

const serving = /"url":"(http:[^"]+)","store/u;
let first: string;
beforeAll(async () => {
  await createDemoStore(join(folder, "demo.db"));
  first = await keys("create", "acme", "--methods", "getLargestAccounts,getAsset");
  server = startCommand(
    [
      "serve",
      "--port",
      "0",
      "--store",
      store,
      "--workers",
      "2",
      "--metrics-port",
      "0",
      "--access-log",
      "all",
    ],
    environment,
  );
  for (const stream of [server.stdout!, server.stderr!])
    stream.setEncoding("utf8").on("data", (text: string) => (written += text));
  await until(() => serving.test(written) || server.exitCode !== null);
  expect(server.exitCode, written).toBeNull();
  url = serving.exec(written)![1]!;
  metricsUrl = /"url":"(http:[^"]+\/metrics)"/u.exec(written)![1]!;
});
afterAll(() => {
  server.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

test("a key is made, rotated under load without a refused call, limited, disabled, and its calls are counted", async () => {
  expect(await statusOf(first)).toBe(200);
  expect((await call(first, "searchAssets")).status).toBe(403);
  expect(await statusOf(`${first}x`)).toBe(401);

  const seen: number[] = [];
  let key = first;
  const loading = { isOver: false };
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!loading.isOver) seen.push(await statusOf(key));
    }),
  );
  const second = await keys("rotate", "acme", "--overlap", "1h");
  await expect.poll(() => written).toContain("API keys were read again");
  await expect.poll(() => statusOf(second)).toBe(200);
  key = second;
  const before = seen.length;
  await expect.poll(() => seen.length).toBeGreaterThan(before + 8);
  loading.isOver = true;
  await load;
  expect(new Set(seen)).toEqual(new Set([200]));

  // The rest of the day is less than what both keys have used together.
  await keys("limit", "acme", "--requests-per-day", "1");
  await expect.poll(() => statusOf(second)).toBe(429);
  expect(await statusOf(first)).toBe(429);
  await keys("disable", "acme");
  await expect.poll(() => statusOf(second)).toBe(403);

  const metrics = await (await fetch(metricsUrl)).text();
  expect(metrics).toMatch(/lamplight_key_requests_total\{key="acme",method="getLargestAccounts"\} \d+/u);
  expect(metrics).toMatch(/lamplight_key_refusals_total\{key="acme",reason="quota"\} \d+/u);
  expect(metrics).toMatch(/lamplight_key_refusals_total\{key="acme",reason="key"\} 1/u);
  server.kill("SIGTERM");
  await once(server, "exit");

  const csv = await keys("usage", "acme", "--from", "30d");
  const rows = csv.split("\n").slice(1);
  expect(csv.split("\n")[0]).toBe("hour,key,method,requests,units");
  const requests = rows.reduce((sum, row) => sum + Number(row.split(",")[3]), 0);
  expect(requests).toBeGreaterThanOrEqual(seen.length);

  const audit = readFileSync(`${keyStore}.audit`, "utf8");
  expect(audit.trimEnd().split("\n")).toHaveLength(4);
  expect(written).toContain('"key":"acme"');
  for (const secret of [first, second])
    for (const text of [written, metrics, csv, audit]) expect(text).not.toContain(secret);
});

test("list and show have state and limits, and no hash", async () => {
  const list = await keys("list");
  expect(list).toMatch(/^NAME +STATE +CREATED +EXPIRES +LIMITS\nacme +disabled /u);
  const shown = await keys("show", "acme", "--json");
  expect(JSON.parse(shown)).toMatchObject({ event: "key", state: "disabled", limits: { requestsPerDay: 1 } });
  expect(list + shown + (await keys("list", "--json"))).not.toMatch(/[0-9a-f]{64}|lamplight_/u);
});

const refused: readonly (readonly [args: readonly string[], message: string])[] = [
  [["create", "acme"], "there is a key acme"],
  [["create", "other", "--requests-per-second", "-5"], "--requests-per-second must be an integer from 1 to"],
  [["create", "other", "--units-per-day", "1e400"], "--units-per-day must be an integer from 1 to"],
  [["create", "other", "--methods", "getAcountInfo"], "did you mean getAccountInfo?"],
  [["create", "__proto__"], "the name must be 1 to 64"],
  [["create", "other", "--expires", "2999-02-30"], "--expires must be a day or a time in UTC"],
  [["create", "other", "--expires", "2020-01-01"], "--expires is in the past: 2020-01-01T00:00:00.000Z"],
  [["rotate", "acme", "--overlap", "soon"], "--overlap must be minutes, hours or days"],
  [["show", "lamplight_abcdefghijklmnop"], "there is no key of this name"],
  [["usage", "lamplight_abcdefghijklmnop"], "there is no key of this name"],
];

test("the new key of a name that may not call is no key that servers accept", async () => {
  const { exitCode, stderr } = await runCommand(["keys", "rotate", "acme"], environment);
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining("no server accepts it, because acme is disabled"),
  ]);
});

test("what is wrong is refused by name, and a word that may be a key is not repeated", async () => {
  await Promise.all(
    refused.map(async ([args, message]) => {
      const { exitCode, stderr } = await runCommand(["keys", ...args, "--key-store", keyStore]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(stderr).not.toContain("lamplight_abc");
    }),
  );
});
