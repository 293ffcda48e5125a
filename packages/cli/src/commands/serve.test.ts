// Runs the real command as a child process, against real stores.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { demoAddresses } from "@lamplight/devchain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { demoCalls } from "../../test/demo-dump.ts";
import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { canRunWithoutRoot, withoutRoot } from "../../test/without-root.ts";
import { postCall, servingUrl } from "../../test/serving.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-cli-"));
const storeFile = join(folder, "demo.db");
const store = `sqlite:${storeFile}`;

beforeAll(() => createDemoStore(storeFile));

afterAll(() => rmSync(folder, { recursive: true }));

const serving: ChildProcess[] = [];
afterAll(() => {
  for (const child of serving) child.kill("SIGKILL");
});

/** Starts `lamplight serve` on a free port and reads its log until it says where. */
const startServing = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
  const child = startCommand(["serve", "--port", "0", ...args], environment);
  serving.push(child);
  const lines: Readonly<Record<string, unknown>>[] = [];
  const url = await servingUrl(child, (entry) => lines.push(entry));
  return { child, lines, url };
};

const call = async (url: string, key: string, method: string, params: unknown) => {
  const response = await postCall(`${url}/v3/${key}`, method, params);
  return { status: response.status, text: await response.text() };
};

describe("lamplight serve", () => {
  test("serves metrics and probes on a port of their own, also where it follows nothing", async () => {
    const { child, lines, url } = await startServing(["--store", store, "--key", "k", "--metrics-port", "0"]);
    const metrics = lines.find(({ msg }) => msg === "metrics")!["url"] as string;
    expect(new URL(metrics)).toMatchObject({ hostname: "127.0.0.1", pathname: "/metrics" });
    const ask = async (path: string): Promise<[number, string]> => {
      const response = await fetch(new URL(path, metrics));
      return [response.status, await response.text()];
    };
    await call(url, "wrong", "getAccountInfo", []);
    expect(await ask("/metrics")).toEqual([
      200,
      expect.stringContaining('status="401",reason="wrong_key"} 1'),
    ]);
    const [status, readiness] = await ask("/readyz");
    expect([status, JSON.parse(readiness)]).toEqual([
      200,
      expect.objectContaining({ coverage: { kind: "whole" } }),
    ]);
    expect(await ask("/livez")).toEqual([200, '{"status":"alive"}']);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("is not ready from SIGTERM on, and answers until limits.lameDuckMs are over", async () => {
    const config = join(folder, "lame-duck.json");
    writeFileSync(config, JSON.stringify({ limits: { lameDuckMs: 600_000 } }));
    const { child, url } = await startServing(["--store", store, "--key", "k", "--config", config]);
    child.kill("SIGTERM");
    const readiness = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;
    await expect.poll(readiness).toBe(503);
    expect((await call(url, "k", "getAccountInfo", [demoAddresses.mint])).status).toBe(200);
    // A second signal ends it at once.
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
  });

  test.each<[NodeJS.Signals, number]>([
    ["SIGTERM", 1],
    ["SIGINT", 1],
    ["SIGTERM", 2],
  ])("answers all methods, and ends well on %s, with %i workers", async (signal, workers) => {
    const { child, lines, url } = await startServing([
      "--store",
      store,
      "--key",
      "secret-one",
      "--key",
      "two",
      "--workers",
      String(workers),
    ]);
    const search = async (): Promise<unknown> =>
      ((await (await fetch(`${url}/v3/secret-one/readyz`)).json()) as { search?: unknown }).search;
    await expect.poll(search).toMatchObject({ status: "ready", assets: expect.any(Number) });
    for (const [method, params] of demoCalls) {
      const { status, text } = await call(url, "secret-one", method, params);
      expect([method, status, (JSON.parse(text) as { error?: unknown }).error]).toEqual([
        method,
        200,
        undefined,
      ]);
    }
    expect((await call(url, "two", "getTokenSupply", [demoAddresses.mint])).status).toBe(200);
    expect((await call(url, "three", "getTokenSupply", [demoAddresses.mint])).status).toBe(401);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(["serving", "stopping", "stopped"]));
    expect(JSON.stringify(lines)).not.toContain("secret-one");
  });

  test("takes its settings from a file and the environment, and shows the public key only when there is one", async () => {
    const config = join(folder, "serve.config.json");
    writeFileSync(config, JSON.stringify({ store, keys: ["file-key"], publicKey: "demo", profile: "agave" }));
    const { child, url } = await startServing([], { LAMPLIGHT_CONFIG: config });
    const missing = await call(url, "demo", "getAccountInfo", [demoAddresses.missing]);
    expect(missing.text).toContain('"value":null');
    expect((await call(url, "file-key", "getLargestAccounts", [])).status).toBe(200);
    expect(await (await fetch(`${url}/docs-config.json`)).json()).toEqual({ publicKey: "demo" });
    child.kill();
    await once(child, "exit");
  });
});

/** No store is made or changed, and no one sees a stack trace. */
const expectRefusal = async (args: readonly string[], message: string, code = 1, environment = {}) => {
  const { exitCode, stderr, stdout } = await runCommand(["serve", ...args], environment);
  expect(stderr).toContain(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect([exitCode, stdout]).toEqual([code, ""]);
};

describe("lamplight serve refuses in one sentence", () => {
  test("a port in use", async () => {
    const other: Server = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    try {
      const message = `lamplight: 127.0.0.1:${port} is in use; choose another with --port`;
      await expectRefusal(["--store", store, "--key", "k", "--port", String(port)], message);
      // Once the store is known to be one: a free port would not mend it.
      const atPort = ["--key", "k", "--port", String(port)];
      const missing = `sqlite:${join(folder, "missing.db")}`;
      await expectRefusal(["--store", missing, ...atPort], "missing.db does not exist");
      await expectRefusal(["--store", missing, ...atPort, "--workers", "2"], "missing.db does not exist");
      await expectRefusal(
        ["--store", missing, ...atPort, "--metrics-port", String(port)],
        "missing.db does not exist",
      );
      await expectRefusal(["--store", "mysql://x", ...atPort], 'invalid store "mysql://x"');
      await expectRefusal(
        ["--store", missing, ...atPort, "--follow", "yellowstone=http://127.0.0.1:9"],
        "missing.db does not exist",
      );
      const foreign = join(folder, "other.db");
      new DatabaseSync(foreign).exec("CREATE TABLE t (x)");
      await expectRefusal(
        ["--store", `sqlite:${foreign}`, ...atPort, "--follow", "rpc=http://127.0.0.1:9"],
        "is not a Lamplight store",
      );
      await expectRefusal(
        ["--store", missing, ...atPort, "--follow", "rpc=http://127.0.0.1:9"],
        `127.0.0.1:${port} is in use`,
      );
      await expectRefusal(["--store", store, "--key", "k"], message, 1, { LAMPLIGHT_PORT: String(port) });
      const follow = ["--follow", "rpc=http://127.0.0.1:9", "--metrics-port", String(port), "--port", "0"];
      const metrics = `127.0.0.1:${port} is in use; choose another with --metrics-port`;
      await expectRefusal(["--store", missing, "--key", "k", ...follow], metrics);
      expect(existsSync(join(folder, "missing.db"))).toBe(false);
    } finally {
      other.close();
    }
  });

  test("a wrong flag, also where the store is wrong", async () => {
    await expectRefusal(["--store", "mysql://x", "--key", "k", "--port=-1"], "--port must be", 2);
  });

  test("an address that is not of this machine", async () => {
    await expectRefusal(
      ["--store", store, "--key", "k".repeat(16), "--host", "192.0.2.1"],
      "cannot listen on 192.0.2.1:5267",
    );
  });

  test("a store that is not there, and makes none", async () => {
    const file = join(folder, "nowhere.db");
    await expectRefusal(["--store", `sqlite:${file}`, "--key", "k"], `${file} does not exist`);
    await expectRefusal(["--store", `sqlite:${file}`, "--key", "k"], `${file} does not exist`);
  });

  test("a file that is no store", async () => {
    const file = join(folder, "text.db");
    writeFileSync(file, "hello ".repeat(1000));
    await expectRefusal(["--store", `sqlite:${file}`, "--key", "k"], "is not a Lamplight store");
    const foreign = join(folder, "foreign.db");
    new DatabaseSync(foreign).exec("CREATE TABLE t (x)");
    await expectRefusal(["--store", `sqlite:${foreign}`, "--key", "k"], "is not a Lamplight store");
  });

  test.runIf(canRunWithoutRoot)("a store it may not read", async () => {
    const readable = mkdtempSync(join(tmpdir(), "lamplight-locked-"));
    chmodSync(readable, 0o755);
    const file = join(readable, "locked.db");
    writeFileSync(file, "");
    chmodSync(file, 0o000);
    const args = ["serve", "--store", `sqlite:${file}`, "--key", "k"];
    const { exitCode, stdout, stderr } = await runCommand(args, {}, withoutRoot);
    rmSync(readable, { recursive: true });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `lamplight: access to ${file} is refused: the file or its folder is read-only, or belongs to another user; change the permissions, or name another store\n`,
    });
  });

  test("a store address it does not know", async () => {
    await expectRefusal(["--store", "mysql://x", "--key", "k"], 'invalid store "mysql://x"; use sqlite:FILE');
  });

  test("a missing store or key, and bad ones", async () => {
    await expectRefusal(["--key", "k"], "--store is missing", 2);
    await expectRefusal(["--store", store], "--key is missing", 2);
    await expectRefusal(["--store", store, "--key", "a/secret"], "--key[0] must be", 2);
    await expectRefusal(["--store", store, "--key", "k", "--port", "http"], "--port must be", 2);
    await expectRefusal(["--store", store], "LAMPLIGHT_KEYS[1] must be", 1, { LAMPLIGHT_KEYS: "a,b c" });
  });

  test("a configuration that is wrong, with the field", async () => {
    const config = join(folder, "bad.config.json");
    writeFileSync(config, '{"limits":{"bodybytes":5}}');
    const message = `${config}: limits.bodybytes is not a known setting; did you mean bodyBytes?`;
    await expectRefusal(["--store", store, "--key", "k", "--config", config], message);
    await expectRefusal(
      ["--store", store, "--key", "k", "--config", `${config}.none`],
      "the file does not exist",
    );
  });

  test("memory that is no number of bytes", async () => {
    const message = "the environment: LAMPLIGHT_MEMORY_BYTES must be a number of bytes, at least 268435456";
    const environment = { LAMPLIGHT_MEMORY_BYTES: "4G" };
    await expectRefusal(["--store", store, "--key", "k"], message, 1, environment);
  });

  test("a command line that is wrong, with exit code 2", async () => {
    await expectRefusal(["--stor", store], "Unknown option '--stor'", 2);
    await expectRefusal(["--store"], "--store", 2);
    await expectRefusal(["surplus", "--store", store, "--key", "k"], "there is a word without a flag", 2);
  });
});
