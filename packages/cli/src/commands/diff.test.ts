import { reads } from "@lamplight/core";
// `lamplight diff` between two real servers: equal, changed by one account, and with calls of a file.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress } from "@lamplight/codecs";
import { demoAddresses } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { type RunningServer, startServer } from "@lamplight/server";
import { type OpenedReader, openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand } from "../../test/run-command.ts";

const key = "diff-key-0123456789";
const { wallet, nft, missing } = demoAddresses;
let folder: string;
let stores: readonly [string, string];
let reader: OpenedReader;
let server: RunningServer;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-diff-"));
  const files = [join(folder, "one.db"), join(folder, "two.db")] as const;
  for (const file of files) await createDemoStore(file);
  stores = [`sqlite:${files[0]}`, `sqlite:${files[1]}`];
  await changeWallet(stores[1]);
  reader = await openStoreForReading(stores[1]);
  server = await startServer({ viewSource: reader, keys: [key], port: 0 });
  url = `${server.url}/v3/${key}`;
});
afterAll(async () => {
  await server.stop();
  reader.close();
  rmSync(folder, { recursive: true });
});

/** One lamport more, at the same slot. */
const changeWallet = async (store: string): Promise<void> => {
  const writer = await openStoreForWriting(store, { create: false });
  const view = await (await openStoreForReading(store)).openView("finalized");
  const account = (await view.read(reads.account(decodeAddress(wallet))))!;
  const { slot } = view;
  view.close();
  const changed = { ...account, lamports: account.lamports + 1n, slot, writeVersion: 1_000_000 };
  await createIndexer(writer).applyAccounts([changed], { slot, blockhash: null });
  await writer.close();
};

test("a server and its own store are equal, by calls that it finds itself", async () => {
  for (const more of [[], ["--profile", "agave"]]) {
    const { exitCode, stdout } = await runCommand(["diff", "--store", stores[1], "--against", url, ...more]);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\n\d\d+ equal, 0 different\n/u)]);
    expect(stdout).not.toContain(key);
  }
});

test("one changed field is named with its slot and both values, and the rest is equal", async () => {
  const requests = join(folder, "calls.jsonl");
  const lines = [
    "// an account that differs",
    JSON.stringify({ jsonrpc: "2.0", id: 7, method: "getAccountInfo", params: [wallet] }),
    JSON.stringify({ method: "getAccountInfo", params: { address: missing } }),
    JSON.stringify({ method: "getAsset", params: [nft] }),
    JSON.stringify({ method: "getAsset", params: [missing] }),
  ];
  writeFileSync(requests, lines.join("\n"));
  const args = ["diff", "--store", stores[0], "--requests", requests];
  const found = await runCommand([...args, "--against", url]);
  expect(found.exitCode).toBe(1);
  expect(found.stdout).toMatch(
    new RegExp(
      `different at slot 300000004: getAccountInfo \\["${wallet}"\\]\n {2}/value/lamports\n {4}ours {4}(\\d+)\n {4}theirs {2}\\d+\n`,
      "u",
    ),
  );
  expect(found.stdout).toContain("\n3 equal, 1 different\n");
  const asJson = await runCommand([...args, "--json"], { LAMPLIGHT_AGAINST: url });
  const rows = asJson.stdout
    .trimEnd()
    .split("\n")
    .map((row) => JSON.parse(row) as Record<string, unknown>);
  expect(rows.map(({ verdict }) => verdict)).toEqual(["different", "equal", "equal", "equal", undefined]);
  expect(rows[4]).toMatchObject({ equal: 3, different: 1 });
});

test("lines that are no call are skipped and counted, and the first one is named", async () => {
  const file = join(folder, "access.jsonl");
  const call = { method: "getAsset", params: [missing] };
  const lines = [
    JSON.stringify({ method: "GET", path: "/healthz", status: 200, body: null }),
    JSON.stringify({ method: "POST", status: 200, request_body: JSON.stringify(call) }),
    "2026-01-02T03:04:05Z listening",
    JSON.stringify({ method: "POST", status: 400, request_body: "{" }),
    JSON.stringify([call, { params: [] }]),
  ];
  writeFileSync(file, lines.join("\n"));
  const args = ["diff", "--against", url, "--store", stores[1], "--requests", file];
  const { exitCode, stdout, stderr } = await runCommand(args);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("\n2 equal, 0 different\n")]);
  expect(stderr).toContain(`skipped as no call: 4; the first is ${file}:1: expected`);
  const asJson = await runCommand([...args, "--json"]);
  expect(JSON.parse(asJson.stdout.trimEnd().split("\n").at(-1)!)).toMatchObject({ equal: 2, skipped: 4 });
});

test("a file without any call, and a missing server, are named", async () => {
  const file = join(folder, "broken.jsonl");
  writeFileSync(file, '# no call\n{"params":[]}\n');
  const broken = await runCommand(["diff", "--against", url, "--store", stores[0], "--requests", file]);
  expect([broken.exitCode, broken.stderr]).toEqual([1, expect.stringContaining(`${file}:2: expected`)]);
  expect(await runCommand(["diff"])).toMatchObject({
    exitCode: 2,
    stderr: "lamplight: --against URL is missing\n",
  });
});

test("a key that the other server does not know ends the comparison at the first call", async () => {
  const against = `${server.url}/v3/not-a-key-0123456789`;
  const { exitCode, stdout, stderr } = await runCommand(["diff", "--store", stores[1], "--against", against]);
  const refusal = `lamplight: ${server.url} refused the request: HTTP 401: API key missing or unknown\n`;
  expect([exitCode, stdout.includes("different"), stderr]).toEqual([1, false, refusal]);
});

test("a server that is asked too often is asked again, and its refusals are no differences", async () => {
  const file = join(folder, "few.jsonl");
  writeFileSync(
    file,
    [nft, missing].map((id) => JSON.stringify({ method: "getAsset", params: [id] })).join("\n"),
  );
  let calls = 0;
  const limited = createServer((request, response) => {
    calls += 1;
    if (calls % 3 !== 0) {
      response.writeHead(429, { "content-type": "application/json", "retry-after": "0" });
      return response.end('{"jsonrpc":"2.0","error":{"code":-32005,"message":"slow down"},"id":null}');
    }
    const headers = { "content-type": "application/json" };
    const pass = async () => {
      const body = Readable.toWeb(request);
      const answer = await fetch(url, { method: "POST", headers, body, duplex: "half" });
      response.writeHead(answer.status, { "x-slot": answer.headers.get("x-slot") ?? "" });
      response.end(await answer.text());
    };
    return pass();
  });
  await new Promise<void>((resolve) => limited.listen(0, "127.0.0.1", resolve));
  const { port } = limited.address() as AddressInfo;
  const args = ["diff", "--store", stores[1], "--requests", file, "--against", `http://127.0.0.1:${port}`];
  const { exitCode, stdout } = await runCommand(args);
  limited.close();
  expect([exitCode, calls]).toEqual([0, 6]);
  expect(stdout).toContain("\n2 equal, 0 different\n");
});
