// `lamplight call` and `lamplight wait` against a real server, and over a store.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { demoAddresses } from "@lamplight/devchain";
import { type RunningServer, startServer } from "@lamplight/server";
import { type OpenedReader, openStoreForReading } from "@lamplight/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";

const key = "call-key-0123456789";
const SLOT = 300_000_004;
let folder: string;
let store: string;
let reader: OpenedReader;
let server: RunningServer;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-call-"));
  await createDemoStore(join(folder, "demo.db"));
  store = `sqlite:${join(folder, "demo.db")}`;
  reader = await openStoreForReading(store);
  server = await startServer({ viewSource: reader, keys: [key], port: 0 });
  url = `${server.url}/v3/${key}`;
});
afterAll(async () => {
  await server.stop();
  reader.close();
  rmSync(folder, { recursive: true });
});

const { clock, collection, missing, nft, nftOwner } = demoAddresses;

test("a server and a store give the same result, for people and for pipes", async () => {
  for (const args of [
    ["getAsset", nft],
    ["searchAssets", `ownerAddress=${nftOwner}`, "limit=2"],
    ["getLargestAccounts", '{"filter":"circulating"}'],
  ]) {
    const [pretty, served, stored] = [
      await runCommand(["call", ...args, "--url", url]),
      await runCommand(["call", ...args, "--json"], { LAMPLIGHT_URL: url }),
      await runCommand(["call", ...args, "--store", store, "--json"]),
    ];
    expect([pretty.exitCode, served.exitCode, stored.exitCode]).toEqual([0, 0, 0]);
    expect(stored.stdout).toBe(served.stdout);
    expect(served.stdout.trimEnd()).not.toContain("\n");
    expect(JSON.parse(pretty.stdout)).toEqual(JSON.parse(served.stdout));
    expect(pretty.stdout).toContain("\n  ");
    expect(pretty.stderr).toBe(`slot ${SLOT}\n`);
    expect(JSON.parse(served.stderr)).toEqual({ event: "note", text: `slot ${SLOT}` });
  }
  const { stdout } = await runCommand(["call", "getAccountInfo", clock, "--url", url]);
  expect(stdout).toContain('"rentEpoch": 18446744073709551615,');
});

test("the DAS methods of a server and of a store give the same result", async () => {
  const das = await startServer({ viewSource: reader, keys: [key], port: 0, methods: ["das"] });
  try {
    for (const args of [
      ["getAssetsByOwner", `ownerAddress=${nftOwner}`, "limit=2"],
      ["getGrouping", "groupKey=collection", `groupValue=${collection}`],
      ["getAsset", `id=${nft}`],
      ["getAccountInfo", clock],
    ]) {
      const [served, stored] = [
        await runCommand(["call", ...args, "--url", `${das.url}/das/${key}`, "--json"]),
        await runCommand(["call", ...args, "--store", store, "--methods", "das", "--json"]),
      ];
      expect([served.exitCode, stored.exitCode]).toEqual([0, 0]);
      expect(stored.stdout).toBe(served.stdout);
    }
  } finally {
    await das.stop();
  }
  const unserved = await runCommand([
    "call",
    "getAssetSignatures",
    nft,
    "--store",
    store,
    "--methods",
    "das",
  ]);
  expect(unserved).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("history") });
});

test("a refusal exits with 1 and shows code and data", async () => {
  const unknown = await runCommand(["call", "getAsset", missing, "--url", url]);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unknown.stderr).toBe(`slot ${SLOT}\nlamplight: Asset Not Found (-32000) {"id":"${missing}"}\n`);
  const asJson = await runCommand(["call", "getAset", "--store", store, "--json"]);
  expect(asJson).toMatchObject({ exitCode: 1, stdout: "" });
  expect(JSON.parse(asJson.stderr)).toEqual({
    error: {
      code: -32601,
      message: "Method not found; did you mean getAsset?",
      data: { method: "getAset", nearest: "getAsset", hint: "did you mean getAsset?" },
    },
  });
});

test.each(["call", "explain"])(
  "%s of a method of another server says over a store what to use",
  async (command) => {
    const { stdout, stderr } = await runCommand([command, "getAssetsByOwner", nftOwner, "--store", store]);
    expect(stdout + stderr).toContain("Method not found; use searchAssets with ownerAddress (-32601)");
  },
);

test("the agave profile is that of Solana clients", async () => {
  for (const where of [
    ["--url", url],
    ["--store", store],
  ]) {
    const args = ["call", "getAccountInfo", missing, "--json", ...where];
    expect((await runCommand(args)).stdout).toBe("null\n");
    expect((await runCommand([...args, "--profile", "agave"])).stdout).toContain('"value":null}');
  }
});

test("no answer, and what is no JSON-RPC, are reported without the key", async () => {
  const strange = createServer((_request, response) => response.writeHead(404).end("no page")).listen(0);
  await once(strange, "listening");
  const address = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`;
  const args = ["call", "getAsset", nft, "--url", `${address}/v3/${key}`];
  expect(await runCommand(args)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `lamplight: ${address} refused the request: HTTP 404, and no JSON-RPC: no page\n`,
  });
  strange.close();
  await once(strange, "close");
  const away = await runCommand(args);
  expect(away.stderr).toContain(`no server answers at ${address} (ECONNREFUSED)`);
  expect(away.stderr).not.toContain(key);
});

test.each([
  [["call"], "the method is missing"],
  [["call", "getAsset", "x", "--url", "a", "--store", "b"], "--url and --store exclude each other"],
  [["call", "getAsset", "--profile", "x"], "--profile must be spec or agave"],
  [["call", "getAsset", "--methods", "das"], "--methods needs --store"],
  [["call", "getAsset", "--store", "a", "--methods", "x"], "--methods must be one of das"],
  [["wait", "--slot", "x"], "--slot must be a whole number"],
  [["wait", "--slot", "1", "--commitment", "x"], "--commitment must be processed, confirmed, finalized"],
  [["wait", "--slot", "1", "--timeout-seconds", "0"], "--timeout-seconds must be a number above 0"],
])("%j is a wrong command line", async (args, reason) => {
  const { exitCode, stderr } = await runCommand(args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test("lamplight wait ends when the slot can be read, or when its time is over", async () => {
  const there = await runCommand(["wait", "--url", url, "--slot", String(SLOT)]);
  expect(there).toMatchObject({ exitCode: 0, stderr: "" });
  expect(there.stdout).toContain(`slot ${SLOT} can be read at ${server.url}`);
  const late = await runCommand(["wait", "--url", url, "--slot", String(SLOT + 1), "--timeout-seconds", "1"]);
  expect(late).toMatchObject({ exitCode: 1, stdout: "" });
  expect(late.stderr).toBe(
    `lamplight: ${server.url}: slot ${SLOT + 1} was not reached in time; the newest is ${SLOT}\n`,
  );
  const wrong = await runCommand(["wait", "--url", `${server.url}/v3/other-key`, "--slot", "1"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("API key missing or unknown")]);
});

test("a server that does not answer is named, and how to name another", async () => {
  const stopped = await startServer({ viewSource: reader, keys: [key], port: 0 });
  await stopped.stop();
  const nowhere = stopped.url;
  const sentence = (setting: string): string =>
    `lamplight: no server answers at ${nowhere} (ECONNREFUSED); start one, such as lamplight dev, or name another with ${setting}\n`;
  const LAMPLIGHT_URL = `${nowhere}/v3/secret-key`;
  const usual = sentence("--url or LAMPLIGHT_URL");
  for (const args of [
    ["call", "getAsset", "x"],
    ["wait", "--slot", "1", "--timeout-seconds", "2"],
    ["diff", "--against", url],
  ])
    expect(await runCommand(args, { LAMPLIGHT_URL })).toMatchObject({
      exitCode: 1,
      // The command that waits also says so.
      stderr: expect.stringContaining(usual) as string,
    });
  const against = await runCommand(["diff", "--store", store, "--against", LAMPLIGHT_URL]);
  expect(against).toMatchObject({ exitCode: 1, stderr: sentence("--against or LAMPLIGHT_AGAINST") });
});

test("lamplight wait also waits for a server that is still starting", async () => {
  const probe = createServer().listen(0);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  const waiting = startCommand([
    "wait",
    "--url",
    `http://127.0.0.1:${port}/v3/${key}`,
    "--slot",
    String(SLOT),
  ]);
  const exit = once(waiting, "exit");
  const [note] = (await once(createInterface(waiting.stderr!), "line")) as [string];
  expect(note).toBe(`no server answers at http://127.0.0.1:${port} yet; waiting up to 60 s`);
  const later = await startServer({ viewSource: reader, keys: [key], port });
  try {
    expect(await exit).toEqual([0, null]);
  } finally {
    await later.stop();
  }
});
