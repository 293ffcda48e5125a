// nginx and Caddy with the files of deploy/, before two real servers, called by real clients.

import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { LamplightError, toRpcError } from "@lamplight/errors";
import { defaultLimits } from "@lamplight/server";
import { address, createSolanaRpc } from "@solana/kit";
import { Connection, PublicKey } from "@solana/web3.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doorKey, doorAddresses, DoorServers, nodeUrl } from "../test/door-servers.ts";
import {
  type Certificate,
  findDoorPrograms,
  findFreePort,
  makeCertificate,
  readLogs,
} from "../test/front-doors.ts";
import { postCall } from "../test/serving.ts";
import { until } from "../test/until.ts";

const doors = findDoorPrograms();
const folder = mkdtempSync(join(tmpdir(), "lamplight-door-"));
const certificate: Certificate | null = doors.length === 0 ? null : makeCertificate(folder);
const caBefore = getCACertificates("default");

beforeAll(() => {
  if (certificate !== null)
    setDefaultCACertificates([...caBefore, readFileSync(certificate.certificateFile, "utf8")]);
});
afterAll(() => {
  setDefaultCACertificates(caBefore);
  rmSync(folder, { recursive: true });
});

const run = promisify(execFile);

test.skipIf(doors.length === 2)("nginx, caddy, curl and openssl are installed", (context) =>
  context.skip("install nginx, caddy, curl and openssl to try the files of deploy/"),
);

/** Connections of these ports of servers that were closed within a minute (TIME_WAIT). */
const closedConnections = (ports: readonly number[]): number => {
  const ends = ports.map((port) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`);
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/u))
    .filter(
      ([, local = "", remote = "", state]) =>
        state === "06" && ends.some((end) => local.endsWith(end) || remote.endsWith(end)),
    ).length;
};

/** The error that our server would answer. */
const errorText = (error: LamplightError): string => {
  const { code, message, data } = toRpcError(error)!;
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message, data }, id: null });
};
const tooLarge = errorText(
  new LamplightError("REQUEST__BODY_TOO_LARGE", { limitBytes: defaultLimits.bodyBytes }),
);
const busyError = errorText(new LamplightError("SERVER__BUSY", { reason: "test" }));

const statusOf = (at: string): Promise<number> =>
  fetch(at).then(
    ({ status }) => status,
    () => 0,
  );

const curl = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await run("curl", ["-sS", "--cacert", certificate!.certificateFile, ...args]);
  return stdout;
};

const json = ["--header", "content-type: application/json"];
const body = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

describe.each(doors)("$name", ({ name, start }) => {
  const ownFolder = join(folder, name);
  let servers: DoorServers;
  let proxy: ChildProcess;
  let printed: Promise<readonly string[]>;
  let origin = "";
  let url = "";

  beforeAll(async () => {
    mkdirSync(ownFolder);
    servers = await DoorServers.start(ownFolder);
    const port = await findFreePort();
    const doorFolder = join(ownFolder, "door");
    mkdirSync(doorFolder);
    proxy = start({ folder: doorFolder, port, upstreams: servers.ports, certificate: certificate! });
    printed = Promise.all([text(proxy.stdout!), text(proxy.stderr!)]);
    origin = `https://localhost:${port}`;
    url = `${origin}/v3/${doorKey}`;
    await until(async () => (await statusOf(`${origin}/readyz`)) === 200);
  });

  afterAll(async () => {
    proxy?.kill("SIGTERM");
    await printed;
    await servers?.stop();
  });

  const small = body("getAccountInfo", [
    doorAddresses[2],
    { encoding: "base64", dataSlice: { offset: 0, length: 4 } },
  ]);
  const post = (content: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: content,
    });

  /** Posts a call; returns the body as it was received, still encoded. */
  const postCoded = async (content: string, coding: string) => {
    const headers = { "content-type": "application/json", "accept-encoding": coding };
    const sent = request(url, { method: "POST", headers });
    sent.end(content);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { body: await buffer(response), coding: response.headers["content-encoding"] };
  };

  test("answers curl over HTTP/2 and HTTP/1.1, Kit, web3.js and fetch", async () => {
    for (const [flag, version] of [
      ["--http2", "2"],
      ["--http1.1", "1.1"],
    ] as const) {
      const answer = await curl(
        flag,
        ...json,
        "--data",
        small,
        "--write-out",
        "\n%{http_version} %{http_code}",
        url,
      );
      expect(answer).toContain('"lamports":18446744073709551615');
      expect(answer.split("\n").at(-1)).toBe(`${version} 200`);
    }
    const kit = await createSolanaRpc(url)
      .getAccountInfo(address(doorAddresses[2]!), { encoding: "base64", dataSlice: { offset: 0, length: 4 } })
      .send();
    expect(kit.value?.lamports).toBe(2n ** 64n - 1n);
    const missing = await new Connection(url).getAccountInfo(new PublicKey(new Uint8Array(32).fill(99)));
    expect(missing).toBeNull();
    const answered = await postCall(url, "getAccountInfo", [doorAddresses[2], { encoding: "base64" }]);
    expect([answered.status, answered.headers.get("x-slot")]).toEqual([200, "77"]);
  });

  test("shows the server the caller's address, whatever header the caller sends", async () => {
    const wrong = `${origin}/v3/wrong-key-0123456789abcdef`;
    const forged = ["--header", "X-Forwarded-For: 6.6.6.6", "--header", "Forwarded: for=6.6.6.6"];
    const from = ["--interface", "127.0.0.7"];
    for (let count = 0; count < 4; count += 1)
      expect(await curl(...from, ...forged, ...json, "--data", small, wrong)).toContain("-3206");
    const noted = servers.log.filter(({ event }) => event === "wrongKeys");
    expect(noted.length).toBeGreaterThan(0);
    for (const { address: seen } of noted) expect(seen).toBe("127.0.0.7");
  });

  test("brings the largest answer whole, compressed once or not at all", async () => {
    const batch = JSON.stringify(
      doorAddresses.map((one, id) => ({
        jsonrpc: "2.0",
        id,
        method: "getAccountInfo",
        params: [one, { encoding: "base64" }],
      })),
    );
    const direct = await fetch(servers.urlOf(0), {
      method: "POST",
      headers: { "content-type": "application/json", "accept-encoding": "identity" },
      body: batch,
    });
    const expected = Buffer.from(await direct.arrayBuffer());
    expect(expected.length).toBeGreaterThan(31 << 20);
    expect(expected.includes('"error"')).toBe(false);
    const whole = await postCoded(batch, "identity");
    expect(whole.body.equals(expected)).toBe(true);
    const large = body("getAccountInfo", [
      doorAddresses[0],
      { encoding: "base64", dataSlice: { offset: 0, length: 200_000 } },
    ]);
    const plain = await postCoded(large, "identity");
    const compressed = await postCoded(large, "br");
    expect([plain.coding, compressed.coding]).toEqual([undefined, "br"]);
    expect(brotliDecompressSync(compressed.body).equals(plain.body)).toBe(true);
  });

  test.skipIf(process.platform !== "linux")("keeps its connections to the servers", async () => {
    const calls = 200;
    const before = closedConnections(servers.ports);
    for (let count = 0; count < calls; count += 1) await (await post(small)).arrayBuffer();
    expect(closedConnections(servers.ports) - before).toBeLessThan(calls / 4);
  });

  test("passes bodies up to the server's limit, compressed ones too, and refuses larger ones as the server does", async () => {
    const padded = (bytes: number): string => small.padEnd(bytes, " ");
    const { bodyBytes } = defaultLimits;
    expect((await post(padded(bodyBytes))).status).toBe(200);
    expect((await post(gzipSync(small), { "content-encoding": "gzip" })).status).toBe(200);
    for (const bytes of [bodyBytes + 1, 900_000, 4 << 20]) {
      const response = await post(padded(bytes));
      expect([bytes, response.status, await response.text()]).toEqual([bytes, 413, tooLarge]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      const file = join(ownFolder, "body.json");
      writeFileSync(file, padded(bytes));
      const chunked = ["--http1.1", "--header", "transfer-encoding: chunked", "--data-binary", `@${file}`];
      expect(await curl(...json, ...chunked, url)).toBe(tooLarge);
    }
  });

  test("passes on how each answer may be cached, and keeps no answer", async () => {
    const headers = { "accept-encoding": "gzip" };
    const config = await fetch(`${origin}/docs-config.json`);
    const configTag = config.headers.get("etag")!;
    await config.arrayBuffer();
    const page = await fetch(`${origin}/openrpc.json`, { headers });
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const etag = page.headers.get("etag")!;
    await page.arrayBuffer();
    const again = await curl(
      "--header",
      `if-none-match: ${configTag}`,
      "--output",
      "/dev/null",
      "--write-out",
      "%{http_code}",
      `${origin}/docs-config.json`,
    );
    expect(again).toBe("304");
    const tags = await Promise.all(
      ([0, 1] as const).map(async (index) => {
        const direct = await fetch(servers.urlOf(index).replace(/\/v3.*/u, "/openrpc.json"), { headers });
        await direct.arrayBuffer();
        return direct.headers.get("etag");
      }),
    );
    expect(tags).toContain(etag);
    for (let count = 0; count < 2; count += 1) {
      const response = await post(small);
      expect([response.headers.get("cache-control"), response.headers.get("age")]).toEqual([
        "no-store",
        null,
      ]);
      await response.arrayBuffer();
    }
    expect(page.headers.get("strict-transport-security")).toMatch(/^max-age=\d+$/u);
  });

  test("loses no call while each server is stopped with SIGTERM and started again", async () => {
    const done = new AbortController();
    const failed: string[] = [];
    let answered = 0;
    const callOn = async (): Promise<void> => {
      while (!done.signal.aborted) {
        try {
          const response = await post(small);
          const answer = await response.text();
          if (response.status === 200 && answer.includes('"slot":77')) answered += 1;
          else failed.push(`${response.status} ${answer}`);
        } catch (error) {
          failed.push(String(error));
        }
        await sleep(2);
      }
    };
    const callers = Array.from({ length: 6 }, callOn);
    for (const index of [0, 1] as const) {
      await servers.stopOne(index, "SIGTERM");
      const before = answered;
      await expect.poll(() => answered).toBeGreaterThan(before + 20);
      await servers.startOne(index);
      // The proxy needs some time to find the server again.
      await until(async () =>
        (await (await fetch(`${origin}/openrpc.json`)).text()).includes(nodeUrl(index)),
      );
    }
    done.abort();
    await Promise.all(callers);
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });

  test("answers that it is busy while no server runs, and goes on when one does", async () => {
    await servers.stopOne(0, "SIGKILL");
    await expect.poll(async () => (await post(small)).status).toBe(200);
    await servers.stopOne(1, "SIGKILL");
    const response = await post(small);
    expect([response.status, await response.text()]).toEqual([503, busyError]);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    await servers.startOne(0);
    await expect.poll(async () => (await post(small)).status).toBe(200);
  });

  test("logs calls without their keys", async () => {
    const misplaced = [
      `/${doorKey}`,
      `//v3//${doorKey}`,
      `/%76%33/${doorKey}`,
      `/v3%2F${doorKey}`,
      `/?api-key=${doorKey}`,
      `/v3/${doorKey}/readyz`,
    ];
    for (const path of misplaced)
      await curl("--path-as-is", "--header", `referer: ${url}`, "--output", "/dev/null", origin + path);
    // For a host of another name, and one that is no HTTP.
    for (const host of ["other.example", "a b"])
      await curl(
        "--http1.1",
        "--header",
        `host: ${host}`,
        "--output",
        "/dev/null",
        ...json,
        "--data",
        small,
        url,
      );
    proxy.kill("SIGTERM");
    const logs = [...(await printed), readLogs(join(ownFolder, "door"))].join("\n");
    expect(logs.match(/\/v3\/\.\.\./gu)?.length).toBeGreaterThan(100);
    expect(logs).toContain("127.0.0.7");
    expect(logs).not.toContain(doorKey);
    expect(logs).not.toContain("wrong-key");
  });
});
