// Traces as a collector receives them over OTLP/HTTP.
import { spawnSync } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { callText, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { startServer } from "../start-server.ts";
import { Traces } from "./traces.ts";

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

let store: SmallStore;
let collector: Server;
let url: string;
let received: string[] = [];
beforeAll(async () => {
  store = await createSmallStore();
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
});
afterAll(() => {
  collector.close();
  store.remove();
});
beforeEach(() => {
  received = [];
});

/** The spans of one call of an account, with the header of its answer. */
const traceOne = async (rate: number, headers: Record<string, string> = {}, key = testKey) => {
  const traces = new Traces({ url, rate });
  const server = await startServer({
    viewSource: openSqliteReader({ file: store.file }),
    keys: [testKey],
    port: 0,
    requests: traces,
  });
  const answer = await post(server, callText("getAccountInfo", [smallAddress]), headers, `/v3/${key}`);
  await server.stop();
  await traces.close();
  const spans = received
    .map((text) => JSON.parse(text) as Export)
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
  return { spans, traceparent: answer.headers.get("traceparent"), answer };
};

const attributesOf = ({ attributes }: ExportedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parent = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, "x-request-id": "mine" };

test("a call is a span below that of its caller, with one for each part of it", async () => {
  const { spans, traceparent, answer } = await traceOne(0, parent);
  expect(answer.status).toBe(200);
  const whole = spans.find(({ name }) => name === "getAccountInfo")!;
  expect([whole.traceId, whole.parentSpanId]).toEqual([traceId, "b7ad6b7169203331"]);
  expect(traceparent).toBe(`00-${traceId}-${whole.spanId}-01`);
  const parts = spans.filter((span) => span !== whole);
  expect(parts.map(({ name }) => name).toSorted()).toEqual(["parse", "read", "receive", "write"]);
  for (const part of parts) {
    expect([part.traceId, part.parentSpanId]).toEqual([traceId, whole.spanId]);
    expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(
      BigInt(whole.startTimeUnixNano) - 1_000_000n,
    );
    expect(BigInt(part.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(part.startTimeUnixNano));
  }
  expect(attributesOf(whole)).toMatchObject({
    "rpc.method": "getAccountInfo",
    "http.response.status_code": 200,
    "lamplight.request_id": "mine",
    "lamplight.route": "call",
  });
  expect(attributesOf(parts.find(({ name }) => name === "read")!)).toMatchObject({ "lamplight.reads": 1 });
  const text = received.join();
  expect(text).not.toContain(testKey);
  expect(text).not.toContain(smallAddress);
});

test("a request of its own is traced by rate, and one that its caller does not trace is not", async () => {
  expect((await traceOne(0)).spans).toEqual([]);
  received = [];
  expect((await traceOne(1, { traceparent: parent.traceparent.replace(/01$/u, "00") })).spans).toEqual([]);
  received = [];
  // What is no traceparent begins a trace of its own.
  const { spans, traceparent } = await traceOne(1, { traceparent: "00-nonsense" });
  const whole = spans.find(({ name }) => name === "getAccountInfo")!;
  expect(whole.parentSpanId ?? "").toBe("");
  expect(traceparent).toBe(`00-${whole.traceId}-${whole.spanId}-01`);
});

test("a caller with a wrong key is traced by rate, however much it asks to be traced", async () => {
  const refused = await traceOne(0, parent, "wrong");
  expect([refused.answer.status, refused.spans]).toEqual([401, []]);
  received = [];
  const { spans } = await traceOne(1, parent, "wrong");
  expect(spans.map((span) => span.traceId)).toContain(traceId);
});

test("a collector that does not answer is not waited for until the exporter gives up", async () => {
  const open = new Set<IncomingMessage>();
  const silent = createServer((request) => {
    open.add(request);
    request.once("close", () => open.delete(request));
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1/traces`;
  const traces = new Traces({ url: silentUrl, rate: 1 });
  const server = await startTestServer({ requests: traces });
  await fetch(`${server.url}/livez`);
  await server.stop();
  await traces.close();
  // The exporter would have closed its request.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(open.size).toBe(1);
  silent.closeAllConnections();
  silent.close();
});

test("nothing of the SDK is loaded without an endpoint", () => {
  const module = new URL("../command/server-observation.ts", import.meta.url).href;
  const script = `import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ resolve: (name, context, next) => { loaded.push(name); return next(name, context); } });
const { observeServer } = await import(${JSON.stringify(module)});
const settings = { accessLog: { mode: "off" }, metricsPort: 0 };
const sdk = () => loaded.filter((name) => /^@opentelemetry\\/(?!api)/u.test(name)).length;
await observeServer({ ...settings, traces: null }, () => {});
const before = sdk();
await observeServer({ ...settings, traces: { url: ${JSON.stringify(url)}, rate: 1 } }, () => {});
console.log(JSON.stringify([before, sdk() > 0]));
process.exit(0);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@lamplight/source", "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  expect([stdout.trim(), stderr]).toEqual(["[0,true]", ""]);
});
