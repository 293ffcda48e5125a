// The port for metrics and probes, in a process of its own whose event loop is held up.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";

import { type MetricsPort, startMetricsPort } from "./metrics-port.ts";

const module = new URL("./metrics-port.ts", import.meta.url).href;

const one = { name: "one", help: "Always 1", type: "gauge", values: [{ value: 1, labels: {} }] } as const;

/** Starts a port, prints its URL, and holds its event loop up from the first line of its stdin on. */
const startBlocked = async (heartbeatMaxMs: number) => {
  const script = `(async () => {
  const { startMetricsPort } = await import(${JSON.stringify(module)});
  const readiness = () => ({ isReady: true, fullBody: "{}" });
  const parts = { metrics: () => [[${JSON.stringify(one)}]], readiness, heartbeatMaxMs: ${heartbeatMaxMs} };
  const port = await startMetricsPort({ host: "127.0.0.1", port: 0 }, parts);
  console.log(port.url);
  process.stdin.once("data", () => {
    process.stderr.write("held up\\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
})()`;
  const child = spawn(process.execPath, ["--conditions=@lamplight/source", "--eval", script]);
  const exited = once(child, "exit").then(() => ["the process ended"]);
  const firstLine = async (stream: Readable): Promise<string> =>
    ((await Promise.race([once(createInterface(stream), "line"), exited])) as [string])[0];
  const url = await firstLine(child.stdout);
  const answerOf = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`);
    return [response.status, await response.text()];
  };
  return {
    answerOf,
    holdUp: async () => {
      child.stdin.write("\n");
      expect(await firstLine(child.stderr)).toBe("held up");
    },
    end: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
};

const unreadable = () => Promise.reject(new Error("no worker answers"));
const readiness = () => ({ isReady: false, fullBody: '{"status":"gap"}' });

describe("startMetricsPort", () => {
  test("writes the metrics once for all who ask for them in the meantime", async () => {
    const asking = 60;
    let written = 0;
    const metrics = () => {
      written++;
      return [[one]];
    };
    const port = await startMetricsPort({ host: "127.0.0.1", port: 0 }, { metrics, readiness });
    try {
      const askOne = async () => (await fetch(`${port.url}/metrics`)).text();
      const all = await Promise.all(Array.from({ length: asking }, askOne));
      for (const text of all) expect(text).toContain("\none 1\n");
      expect(written).toBeLessThan(asking / 4);
      const before = written;
      await askOne();
      expect(written).toBe(before + 1);
    } finally {
      await port.close();
    }
  });

  test("answers liveness while the event loop is held up, and says that nothing else is answered", async () => {
    const held = await startBlocked(3_600_000);
    try {
      expect(await held.answerOf("/metrics")).toEqual([200, expect.stringContaining("\none 1\n")]);
      expect(await held.answerOf("/readyz")).toEqual([200, "{}"]);
      await held.holdUp();
      expect(await held.answerOf("/livez")).toEqual([200, '{"status":"alive"}']);
      expect(await held.answerOf("/readyz")).toEqual([503, '{"status":"busy"}']);
      expect(await held.answerOf("/livez")).toEqual([200, '{"status":"alive"}']);
    } finally {
      await held.end();
    }
  });

  test("turns 503 once there was no heartbeat for too long", async () => {
    const held = await startBlocked(50);
    try {
      await held.holdUp();
      await expect.poll(() => held.answerOf("/livez")).toEqual([503, '{"status":"hanging"}']);
    } finally {
      await held.end();
    }
  });

  let open: MetricsPort | null = null;
  afterEach(async () => {
    await open?.close();
    open = null;
  });

  test("answers no name that a web page may have on loopback, unless it is allowed", async () => {
    const parts = { metrics: () => [[one]], readiness };
    open = await startMetricsPort({ host: "127.0.0.1", port: 0, allowedHosts: ["metrics.example"] }, parts);
    const { port } = new URL(open.url);
    const statusOf = async (path: string, host: string): Promise<number | undefined> => {
      const request = get({ host: "127.0.0.1", port, path, headers: { host }, agent: false });
      const [response] = (await once(request, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    for (const path of ["/metrics", "/readyz", "/livez"]) {
      expect(await statusOf(path, `page.example:${port}`)).toBe(421);
      for (const host of ["metrics.example", `127.0.0.1:${port}`, "localhost", "[::1]", "prometheus"])
        expect([host, await statusOf(path, host)]).not.toEqual([host, 421]);
    }
  });

  test("writes the metrics where readiness cannot be read", async () => {
    open = await startMetricsPort(
      { host: "127.0.0.1", port: 0 },
      { metrics: () => [[one]], readiness: unreadable },
    );
    const response = await fetch(`${open.url}/metrics`);
    expect(response.status).toBe(200);
    const lines = (await response.text()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "one 1",
        "lamplight_ready 0",
        'lamplight_readiness{status="unreadable",reason=""} 1',
      ]),
    );
    expect((await fetch(`${open.url}/readyz`)).status).toBe(500);
  });

  test("answers 503 where the process is not ready, refuses other paths and methods, and closes", async () => {
    open = await startMetricsPort({ host: "127.0.0.1", port: 0 }, { metrics: () => [], readiness });
    const { url } = open;
    const response = await fetch(`${url}/readyz?full`);
    expect([response.status, await response.json()]).toEqual([503, { status: "gap" }]);
    expect((await fetch(`${url}/other`)).status).toBe(404);
    expect((await fetch(`${url}/livez`, { method: "POST" })).status).toBe(405);
    const taken = startMetricsPort(
      { host: "127.0.0.1", port: Number(new URL(url).port) },
      { metrics: () => [], readiness },
    );
    await expect(taken).rejects.toMatchObject({ code: "SERVER__PORT_IN_USE" });
    await open.close();
    open = null;
    await expect(fetch(`${url}/livez`)).rejects.toThrow("fetch failed");
  });
});
