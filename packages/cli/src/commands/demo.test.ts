import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { existsSync } from "node:fs";
import { parseExact } from "@lamplight/core";
import { DEFAULT_PORT } from "@lamplight/server/command";
import { expect, test } from "vitest";
import { runCommand, startCommand } from "../../test/run-command.ts";

test("lamplight demo prints a call with a true answer, addresses that answer, and leaves nothing behind", async () => {
  const child = startCommand(["demo", "--port", "0", "--metrics-port", "0"]);
  const metricsLine = once(createInterface(child.stderr!), "line");
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line.trim());
    if (line.includes("Ctrl-C")) break;
  }
  const urls = lines
    .map((line) => /^➜ {2}(\w+) +(http\S+)$/.exec(line)?.slice(1))
    .filter((parts) => parts !== undefined);
  expect(urls.map(([name]) => name)).toEqual(["API", "Explorer", "Docs"]);
  const [api = "", explorer = "", docs = ""] = urls.map(([, url = ""]) => url);
  const curl = lines
    .map((line) => /curl -s (\S+) -H 'Content-Type: application\/json' -d '(.*)'$/.exec(line))
    .find((found) => found !== null);
  expect(curl?.[1]).toBe(api);
  const headers = { "content-type": "application/json" };
  const answer = await fetch(api, { method: "POST", headers, body: curl?.[2] ?? "" });
  expect(parseExact(await answer.text())).toMatchObject({ result: { content: {}, ownership: {} } });
  for (const page of [docs, explorer, `${docs}openrpc.json`]) expect((await fetch(page)).status).toBe(200);
  const storeFile = lines.map((line) => / in sqlite:([^,]+),/.exec(line)?.[1]).find(Boolean) ?? "";
  expect(existsSync(storeFile)).toBe(true);
  const url = /metrics: (\S+)/u.exec(String(await metricsLine))?.[1] ?? "";
  const metrics = await (await fetch(url)).text();
  expect(metrics).toMatch(/lamplight_call_duration_seconds_count\{.*"getAsset".*\} 1\n/u);
  expect(metrics).toContain("lamplight_ready 1\n");
  for (const name of ["search_assets", "connections", "store_sessions"])
    expect(metrics).toContain(`# HELP lamplight_${name} `);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(existsSync(storeFile)).toBe(false);
});

test("lamplight demo --methods das prints the address of the DAS methods, which answer with proofs", async () => {
  const child = startCommand(["demo", "--port", "0", "--methods", "das"]);
  let das = "";
  for await (const line of createInterface(child.stdout!)) {
    das ||= /DAS +(\S+)$/.exec(line)?.[1] ?? "";
    if (line.includes("Ctrl-C")) break;
  }
  const call = async (method: string, params: object): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    return ((await (await fetch(das, { method: "POST", headers, body })).json()) as { result: unknown })
      .result;
  };
  const found = (await call("searchAssets", { compressed: true, burnt: false, limit: 1 })) as {
    items: { id: string; compression: { tree: string; asset_hash: string } }[];
  };
  const [{ id, compression }] = found.items as [(typeof found.items)[0]];
  expect(await call("getAssetProof", { id })).toMatchObject({
    leaf: compression.asset_hash,
    tree_id: compression.tree,
  });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("lamplight demo takes the next free port where the default one is in use, and no validator's", async () => {
  const other = createServer();
  other.on("error", () => undefined).listen(DEFAULT_PORT, "127.0.0.1");
  const child = startCommand(["demo"]);
  try {
    const port = await servedPort(child);
    expect(port).toBeGreaterThan(DEFAULT_PORT);
    expect([8899, 8900]).not.toContain(port);
  } finally {
    child.kill("SIGTERM");
    other.close();
  }
  expect(await once(child, "exit")).toEqual([0, null]);
});

const servedPort = async (child: ChildProcess): Promise<number> => {
  for await (const line of createInterface(child.stdout!)) {
    const url = /API +(\S+)$/.exec(line)?.[1];
    if (url !== undefined) return Number(new URL(url).port);
  }
  throw new Error("ended before it served");
};

test("lamplight demo obeys LAMPLIGHT_PORT and LAMPLIGHT_HOST, and refuses a port in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const LAMPLIGHT_PORT = String((other.address() as AddressInfo).port);
  const refused = await runCommand(["demo"], { LAMPLIGHT_PORT });
  expect(refused).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `lamplight: 127.0.0.1:${LAMPLIGHT_PORT} is in use; choose another with --port or LAMPLIGHT_PORT (0 picks a free one)\n`,
  });
  other.close();
  await once(other, "close");
  const child = startCommand(["demo"], { LAMPLIGHT_PORT, LAMPLIGHT_HOST: "localhost" });
  expect(await servedPort(child)).toBe(Number(LAMPLIGHT_PORT));
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("lamplight demo refuses a port that is none", async () => {
  const { exitCode, stderr } = await runCommand(["demo", "--port", "99999"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "lamplight: --port must be a number from 0 to 65535\n",
  });
});
