import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";

import { callText, exchangeRaw, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import type { RunningServer, ServerOptions } from "../start-server.ts";
import { createBlockedStore } from "../../test/blocked-store.ts";
import { createSmallStore, smallAddress } from "../../test/small-store.ts";
import { CallMetrics } from "./call-metrics.ts";
import { metricsText } from "./metrics-text.ts";
import { serverMetrics } from "./server-metrics.ts";

let server: RunningServer;
afterEach(() => server.stop());

/** A server with metrics, and what reads their lines. */
const start = async (limits = {}, more: Partial<ServerOptions> = {}) => {
  const metrics = new CallMetrics();
  server = await startTestServer({
    requests: metrics,
    observe: (report) => metrics.onCall(report),
    limits,
    ...more,
  });
  return async (): Promise<readonly string[]> => {
    const { body: text } = await metricsText([serverMetrics(server), metrics.families()], "prometheus");
    expect(text).not.toContain(testKey);
    return text.split("\n");
  };
};

test("counts calls by method and outcome, and requests by route and status", async () => {
  const read = await start();
  const discover = await post(server, callText("rpc.discover", []));
  await post(server, callText("rpc.discover", [1]));
  // Methods that are not ours have one label together.
  for (const method of ["getBlock", "constructor", "x".repeat(10_000)])
    await post(server, callText(method, []));
  // The store of this server throws what is no error of the caller.
  await post(server, callText("getAsset", ["11111111111111111111111111111111"]));
  await post(server, `[${callText("getBlock", [])},${callText("rpc.discover", [])}]`);
  await fetch(`${server.url}/livez`);
  await fetch(`${server.url}/missing`);
  const lines = await read();
  const counts = lines.filter((line) => /_duration_seconds_count|call_errors_total\{/u.test(line));
  expect(counts.toSorted()).toEqual([
    'lamplight_call_duration_seconds_count{method="getAsset",outcome="failed"} 1',
    'lamplight_call_duration_seconds_count{method="rpc.discover",outcome="error"} 1',
    'lamplight_call_duration_seconds_count{method="rpc.discover",outcome="ok"} 2',
    'lamplight_call_duration_seconds_count{method="unknown",outcome="error"} 4',
    'lamplight_call_errors_total{method="getAsset",error="INTERNAL"} 1',
    'lamplight_call_errors_total{method="rpc.discover",error="PARAM__COUNT"} 1',
    'lamplight_call_errors_total{method="unknown",error="REQUEST__METHOD_NOT_FOUND"} 4',
    'lamplight_http_request_duration_seconds_count{route="call",status="200"} 7',
    'lamplight_http_request_duration_seconds_count{route="page",status="404"} 1',
    'lamplight_http_request_duration_seconds_count{route="probe",status="200"} 1',
  ]);
  const result = Buffer.byteLength(JSON.stringify((JSON.parse(discover.text) as { result: unknown }).result));
  expect(lines).toContain(
    `lamplight_call_result_bytes_total{method="rpc.discover",outcome="ok"} ${2 * result}`,
  );
  const sent = Number(
    /^lamplight_http_answer_bytes_total\{route="call",status="200"\} (\d+)$/mu.exec(lines.join("\n"))![1],
  );
  expect(sent).toBeGreaterThan(discover.text.length);
});

test("counts refusals by reason, what cannot be read, and what callers hold until they give it back", async () => {
  const read = await start({ bodyBytes: 1024 });
  const body = '{"jsonrpc":"2.0",';
  const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100`;
  expect((await post(server, "{}", {}, "/v3/wrong")).status).toBe(401);
  await exchangeRaw(server, ["GET / NONSENSE\r\n\r\n"]);
  // What follows a last request gets no answer.
  await exchangeRaw(server, ["GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nmore"]);
  const socket = connect(server.port, "127.0.0.1");
  try {
    socket.write(`${head}\r\n\r\n${body}`);
    await expect.poll(() => server.load().bodiesBytes).toBe(body.length);
    expect(await read()).toEqual(
      expect.arrayContaining([
        'lamplight_refusals_total{status="401",reason="wrong_key"} 1',
        'lamplight_http_request_duration_seconds_count{route="call",status="401"} 1',
        'lamplight_http_request_duration_seconds_count{route="other",status="400"} 1',
        `lamplight_request_body_bytes ${body.length}`,
        'lamplight_requests_waiting{reason="start"} 0',
        "lamplight_read_views 0",
      ]),
    );
    expect(server.load().connections).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(() => server.load().bodiesBytes).toBe(0);
    // A caller that left has no status.
    await expect
      .poll(read)
      .toContain('lamplight_http_request_duration_seconds_count{route="call",status="0"} 1');
  } finally {
    socket.destroy();
  }
});

const waiting = (reason: string, requests: number): string =>
  `lamplight_requests_waiting{reason="${reason}"} ${requests}`;

test("counts requests that wait once, by what they wait for, and how long they waited", async () => {
  const store = await createSmallStore();
  const { viewSource, held } = createBlockedStore(store);
  const read = await start({ readViews: 1, callTimeoutMs: 600_000 }, { viewSource });
  const socket = connect(server.port, "127.0.0.1");
  try {
    const first = post(server, callText("searchAssets", { burnt: false }));
    await expect.poll(() => held.length).toBe(1);
    const account = callText("getAccountInfo", [smallAddress]);
    const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`;
    // A connection has eight requests in progress.
    socket.write(`${head}\r\nContent-Length: ${account.length}\r\n\r\n${account}`.repeat(10));
    await expect
      .poll(read)
      .toEqual(
        expect.arrayContaining([waiting("connection", 2), waiting("start", 0), waiting("read_view", 8)]),
      );
    held[0]!();
    await first;
    const waits = /^lamplight_call_wait_seconds_count\{route="call",reason="read_view"\} (\d+)$/mu;
    await expect.poll(async () => Number(waits.exec((await read()).join("\n"))?.[1])).toBeGreaterThan(7);
    await expect
      .poll(read, { timeout: 60_000 })
      .toEqual(
        expect.arrayContaining([waiting("connection", 0), waiting("start", 0), waiting("read_view", 0)]),
      );
  } finally {
    socket.destroy();
    store.remove();
  }
});

test("counts requests and calls whose connection ended, also requests that were not started", async () => {
  const store = await createSmallStore();
  const { viewSource, held } = createBlockedStore(store);
  const read = await start({ callTimeoutMs: 600_000, drainMs: 10 }, { viewSource });
  const body = callText("searchAssets", { burnt: false });
  const head = `POST /v3/${testKey} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`;
  const open = async (requests: number): Promise<Socket> => {
    const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`.repeat(requests));
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(8);
    return socket;
  };
  (await open(8)).resetAndDestroy();
  await expect
    .poll(read, { timeout: 60_000 })
    .toEqual(
      expect.arrayContaining([
        'lamplight_call_duration_seconds_count{method="searchAssets",outcome="gone"} 8',
        'lamplight_http_request_duration_seconds_count{route="call",status="0"} 8',
      ]),
    );
  for (const goOn of held.splice(0)) goOn();
  await expect.poll(() => server.load().readViews, { timeout: 60_000 }).toBe(0);
  // A connection has eight requests in progress.
  await open(10);
  await server.stop();
  await expect
    .poll(read, { timeout: 60_000 })
    .toContain('lamplight_http_request_duration_seconds_count{route="other",status="0"} 2');
  for (const goOn of held.splice(0)) goOn();
  await expect.poll(() => server.load().readViews, { timeout: 60_000 }).toBe(0);
  store.remove();
});

test("counts a call that our time limit ended as failed", async () => {
  const store = await createSmallStore();
  const { viewSource, held } = createBlockedStore(store);
  const read = await start({ callTimeoutMs: 100 }, { viewSource });
  await post(server, callText("searchAssets", { burnt: false }));
  expect(await read()).toContain(
    'lamplight_call_duration_seconds_count{method="searchAssets",outcome="failed"} 1',
  );
  for (const goOn of held) goOn();
  await expect.poll(() => server.load().readViews).toBe(0);
  store.remove();
});

test("answers with the request's id where that is harmless", async () => {
  await start();
  const idOf = async (given: string): Promise<string | null> =>
    (await post(server, "{}", { "x-request-id": given })).headers.get("x-request-id");
  for (const taken of ["0af7651916cd43dd:8448-eb21/1", "x".repeat(128)])
    expect(await idOf(taken)).toBe(taken);
  for (const refused of ["x".repeat(129), "two words", 'a"b', "é"]) expect(await idOf(refused)).toBeNull();
  const headers = { "x-request-id": "probe" };
  const probe = await fetch(`${server.url}/livez`, { headers });
  expect(probe.headers.get("x-request-id")).toBe("probe");
  expect(probe.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
});
