// Tests how the running command handles signals, secrets and a low limit of open files.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Agent, type IncomingMessage, request as sendRequest, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createDemoStore } from "../../test/demo-store.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-signals-"));
const store = `sqlite:${join(folder, "demo.db")}`;
const secretText = "this-is-a-secret-key-0123456789";
const running: ChildProcess[] = [];

beforeAll(() => createDemoStore(join(folder, "demo.db")));

afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Everything that a command writes, and the address where it serves. */
const watch = async (child: ChildProcess, pattern = /"url":"(http:[^"]+)"/u) => {
  running.push(child);
  let written = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (text: string) => (written += text));
  await expect.poll(() => pattern.exec(written)?.[1] ?? child.exitCode).not.toBeNull();
  return { child, url: pattern.exec(written)![1]!, written: () => written };
};

const serve = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  watch(startCommand(["serve", "--port", "0", "--store", store, ...args], environment));

const post = (url: string, key: string, body: string): Promise<Response> =>
  fetch(`${url}/v3/${key}`, { method: "POST", headers: { "content-type": "application/json" }, body });

describe("signals", () => {
  test("SIGTERM ends in order, SIGUSR1 opens no debugger", async () => {
    const { child, url, written } = await serve(["--key", "k"]);
    child.kill("SIGUSR1");
    for (let call = 0; call < 20; call++) expect((await fetch(`${url}/livez`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(written()).toContain('"signal":"SIGTERM"');
    expect(written()).toContain('"msg":"stopped"');
    expect(written()).not.toMatch(/debugger/iu);
  });

  test.skipIf(!existsSync("/usr/bin/script"))("SIGHUP ends a process with a terminal", async () => {
    const main = fileURLToPath(new URL("../main.ts", import.meta.url));
    const node = `'${process.execPath}' --conditions=@lamplight/source '${main}'`;
    const line = `echo "pid $$"; exec ${node} serve --port 0 --store '${store}' --key k > '${folder}/terminal' 2>&1 < /dev/null`;
    const child = spawn("/usr/bin/script", ["-qec", line, "/dev/null"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { url: pid } = await watch(child, /pid (\d+)/u);
    const written = (): string => readFileSync(join(folder, "terminal"), "utf8");
    await expect.poll(written).toContain('"msg":"serving"');
    process.kill(Number(pid), "SIGHUP");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(written()).toContain('"signal":"SIGHUP"');
  });

  test.each([1, 2])(
    "SIGHUP reads keys, log level and access log again without a terminal (%i workers)",
    async (workers) => {
      const [kept, removed, added] = ["kept", "removed", "added"].map((name) => `${name}-${secretText}`);
      const keyFile = join(folder, `reloaded-${workers}`);
      const config = join(folder, `reloaded-${workers}.json`);
      const write = (keys: readonly (string | undefined)[], level: string, access = "off"): void => {
        writeFileSync(keyFile, keys.join("\n"), { mode: 0o600 });
        writeFileSync(config, JSON.stringify({ log: { level, access }, limits: { wrongKeys: 1000 } }));
      };
      write([kept, removed], "info");
      const args = [
        "serve",
        "--port",
        "0",
        "--store",
        store,
        "--config",
        config,
        "--workers",
        String(workers),
      ];
      const served = startCommand(args, { LAMPLIGHT_KEYS_FILE: keyFile }, { detached: true });
      const { child, url, written } = await watch(served);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const statusOf = async (key = "", options: RequestOptions = { agent: false }): Promise<number> => {
        const headers = { "content-type": "application/json" };
        const request = sendRequest(`${url}/v3/${key}`, { method: "POST", headers, ...options });
        request.end('{"jsonrpc":"2.0","id":1,"method":"nope"}');
        const [response] = (await once(request, "response")) as [IncomingMessage];
        response.resume();
        await once(response, "end");
        return response.statusCode!;
      };
      const countOf = (text: string): number => written().split(text).length - 1;
      // A connection that has shown a key asks for it again.
      expect(await statusOf(removed, { agent })).toBe(200);
      write([kept, added], "info", "all");
      child.kill("SIGHUP");
      await expect.poll(() => countOf("read keys, log level and access log again")).toBe(1);
      for (let call = 0; call < 8; call++)
        expect([await statusOf(kept), await statusOf(removed), await statusOf(added)]).toEqual([
          200, 401, 200,
        ]);
      expect(await statusOf(removed, { agent })).toBe(401);
      await expect.poll(() => countOf('"msg":"request"')).toBe(25);
      agent.destroy();
      write(["not a key"], "info");
      child.kill("SIGHUP");
      await expect.poll(() => countOf("stay as they were")).toBe(1);
      expect([await statusOf(kept), await statusOf(added)]).toEqual([200, 200]);
      write([kept], "error");
      child.kill("SIGHUP");
      await expect.poll(() => statusOf(added)).toBe(401);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      // Below the level that was read last.
      expect(written()).not.toContain('"msg":"stopped"');
      expect(written()).not.toContain(secretText);
    },
  );
});

describe("secrets", () => {
  test("are read from files, and never written", async () => {
    const keyFile = join(folder, "keys");
    writeFileSync(keyFile, `${secretText}\r\n\n  ${secretText}-2\n`);
    const config = join(folder, "config.json");
    writeFileSync(config, JSON.stringify({ log: { level: "debug", slowCallMs: 1 } }));
    const fromFlag = await serve(["--key-file", keyFile, "--config", config]);
    const fromVariable = await serve(["--config", config], { LAMPLIGHT_KEYS_FILE: keyFile });
    for (const { child, url, written } of [fromFlag, fromVariable]) {
      for (const key of [secretText, `${secretText}-2`])
        expect((await post(url, key, '{"jsonrpc":"2.0","id":1,"method":"getLargestAccounts"}')).status).toBe(
          200,
        );
      for (let guess = 0; guess < 12; guess++)
        expect((await post(url, `${secretText}-no`, "{}")).status).toBe(401);
      await post(url, secretText, '{"jsonrpc":"2.0","id":1,"method":"searchAssets","params":{"limit":1000}}');
      await post(url, secretText, `["${secretText}"`);
      await (await fetch(`${url}/v3/${secretText}?x=${secretText}`)).text();
      await (await fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${secretText}` } })).text();
      for (const raw of [
        `BROKEN /v3/${secretText}\r\n\r\n`,
        `GET /v3/${secretText} HTTP/1.1\r\nHost: a.b\r\n\r\n`,
      ]) {
        const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.end(raw));
        socket.resume();
        await once(socket, "close");
      }
      child.kill("SIGTERM");
      await once(child, "exit");
      expect(written()).toContain("wrong API key");
      expect(written()).not.toContain(secretText);
    }
  });

  test("everybody may read are reported with what to do, and others are not", async () => {
    const openFile = join(folder, "open-keys");
    const ownFile = join(folder, "own-keys");
    const config = join(folder, "open.json");
    writeFileSync(openFile, secretText);
    writeFileSync(ownFile, secretText);
    writeFileSync(config, JSON.stringify({ keys: [secretText] }));
    chmodSync(openFile, 0o644);
    chmodSync(ownFile, 0o640);
    chmodSync(config, 0o604);
    const warning = "run chmod 600 on it";
    const served = await Promise.all([
      serve(["--key-file", openFile]),
      serve([], { LAMPLIGHT_KEYS_FILE: openFile }),
      serve(["--config", config]),
      serve(["--key-file", ownFile]),
    ]);
    expect(served.map(({ written }) => written().includes(warning))).toEqual([true, true, true, false]);
    expect(served[0]!.written()).toContain(`"file":"${openFile}","mode":"644"`);
    for (const { child } of served) child.kill("SIGTERM");
  });

  test("are not repeated where they are given wrongly", async () => {
    const given: readonly (readonly string[])[] = [
      [secretText],
      ["--store", store, secretText],
      ["--store", store, "--key", `${secretText} `],
    ];
    for (const args of given) {
      const { exitCode, stderr, stdout } = await runCommand(["serve", ...args]);
      expect([args, exitCode]).toEqual([args, 2]);
      expect(stderr + stdout).not.toContain(secretText);
    }
  });

  test("a file of keys that is not there, or given twice, is refused", async () => {
    const missing = await runCommand(["serve", "--store", store, "--key-file", join(folder, "no")]);
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining("does not exist")]);
    const both = await runCommand(["serve", "--store", store], {
      LAMPLIGHT_KEYS: "k",
      LAMPLIGHT_KEYS_FILE: join(folder, "keys"),
    });
    expect([both.exitCode, both.stderr]).toEqual([1, expect.stringContaining("LAMPLIGHT_KEYS")]);
  });

  test("a short key is refused where other machines can call, and a public one is not", async () => {
    const refused = await runCommand(["serve", "--store", store, "--key", "short", "--host", "0.0.0.0"]);
    expect(refused.stderr).toContain("keys[0] must have at least 16 characters");
    const config = join(folder, "public.json");
    writeFileSync(config, JSON.stringify({ publicKey: "demo", keys: [secretText] }));
    const { child } = await serve(["--host", "0.0.0.0", "--config", config]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

test("a low limit of open files is reported, and connections beyond it are counted", async () => {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const node = [process.execPath, "--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"];
  const command = [...node, main, "serve", "--port", "0", "--store", store, "--key", "k"];
  const child = spawn("sh", ["-c", 'ulimit -n 200 && exec "$@"', "sh", ...command], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { url, written } = await watch(child);
  expect(written()).toContain("the limit of open files is too low");
  const sockets = Array.from({ length: 150 }, () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    return socket.on("error", () => undefined);
  });
  await expect.poll(written).toContain('"event":"connectionsFull"');
  for (const socket of sockets) socket.destroy();
  await expect
    .poll(async () => (await fetch(`${url}/livez`).catch(() => null))?.status, { timeout: 60_000 })
    .toBe(200);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("a demo removes the folder of one that was killed, and no other", async () => {
  const temporary = join(folder, "tmp");
  mkdirSync(join(temporary, "lamplight-demo-notes"), { recursive: true });
  const environment = { TMPDIR: temporary };
  const start = () => watch(startCommand(["demo", "--port", "0"], environment), /Docs +(http:\S+)\//u);
  const folders = (): string[] => readdirSync(temporary).filter((name) => name !== "lamplight-demo-notes");
  const killed = await start();
  const [left = ""] = folders();
  const alive = await start();
  expect(folders()).toHaveLength(2);
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  expect(existsSync(join(temporary, left))).toBe(true);
  const next = await start();
  expect(folders()).toHaveLength(2);
  expect(existsSync(join(temporary, left))).toBe(false);
  expect(readdirSync(temporary)).toContain("lamplight-demo-notes");
  for (const { child } of [alive, next]) {
    child.kill("SIGHUP");
    expect(await once(child, "exit")).toEqual([0, null]);
  }
  expect(folders()).toEqual([]);
});
