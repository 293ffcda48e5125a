import { IncomingMessage } from "node:http";
import { Socket } from "node:net";

import { CallRequest, createMethodSettings } from "@lamplight/core";
import { afterEach, expect, test } from "vitest";

import { callText, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";
import { type AccessLine, type AccessLogSettings, defaultAccessLog } from "../log/access-settings.ts";
import { createSmallStore } from "../../test/small-store.ts";
import { AccessLog, shortAddress } from "./access-log.ts";
import { RequestRecord } from "./request-record.ts";

let server: RunningServer;
afterEach(() => server.stop());

const lines: AccessLine[] = [];
const start = async (settings: Partial<AccessLogSettings>, random?: () => number): Promise<AccessLog> => {
  lines.length = 0;
  const log = new AccessLog({ ...defaultAccessLog, ...settings }, (line) => void lines.push(line), random);
  server = await startTestServer({ requests: log });
  return log;
};

/** Lines so far, after one more request. */
const ask = async (): Promise<number> => {
  await post(server, callText("rpc.discover", []));
  return lines.length;
};

test("writes who called what and how it ended, and never a key, a path or a body", async () => {
  await start({ mode: "all", address: "short" });
  const given = { "x-request-id": "mine" };
  await post(server, callText("rpc.discover", []), given);
  await post(server, callText("nope-secret", ["body-secret"]));
  await post(
    server,
    `[${callText("rpc.discover", [])},${callText("getAsset", [1])},{"jsonrpc":"1.0","id":1}]`,
  );
  await post(server, "{", {}, "/v3/wrong-secret");
  await fetch(`${server.url}/path-secret`);
  const common = {
    ms: expect.any(Number) as number,
    bytes: expect.any(Number) as number,
    address: "127.0.0.0/24",
  };
  const call = {
    ...common,
    requestId: expect.any(String) as string,
    route: "call",
    key: expect.any(String) as string,
  };
  expect(lines).toEqual([
    { ...call, requestId: "mine", method: "rpc.discover", outcome: "ok", status: 200 },
    { ...call, method: "unknown", outcome: "error", error: "REQUEST__METHOD_NOT_FOUND", status: 200 },
    {
      ...call,
      method: "batch",
      calls: 3,
      outcome: "error",
      error: expect.any(String) as string,
      status: 200,
    },
    {
      ...common,
      requestId: expect.any(String) as string,
      route: "call",
      outcome: "refused",
      error: "REQUEST__KEY_UNKNOWN",
      status: 401,
    },
    {
      ...common,
      requestId: expect.any(String) as string,
      route: "page",
      outcome: "error",
      error: "REQUEST__NOT_FOUND",
      status: 404,
    },
  ]);
  const text = JSON.stringify(lines);
  expect(text).not.toContain(testKey);
  expect(text).not.toContain("secret");
  // One name for each key.
  expect(new Set(lines.map(({ key }) => key))).toEqual(new Set([lines[0]!.key, undefined]));
});

test("samples, always writes slow requests, and takes other settings while it runs", async () => {
  let next = 0;
  const log = await start({ mode: "sampled", rate: 0.5, slowMs: 3_600_000 }, () => next);
  expect(await ask()).toBe(1);
  next = 0.5;
  expect(await ask()).toBe(1);
  log.use({ ...defaultAccessLog, mode: "sampled", rate: 0, slowMs: 0 });
  expect(await ask()).toBe(2);
  log.use({ ...defaultAccessLog, mode: "off", slowMs: 0 });
  expect(await ask()).toBe(2);
});

test("writes the newest slot of a batch, whichever it read last", async () => {
  const log = await start({ mode: "all" });
  const store = await createSmallStore();
  const record = new RequestRecord(log, new IncomingMessage(new Socket()));
  const settings = createMethodSettings({ apiVersion: "1" });
  const request = new CallRequest({ viewSource: store.reader, settings });
  record.request = request;
  for (const slot of [7, 9, 8]) request.note(slot);
  record.end(200, 1);
  store.remove();
  expect(lines).toMatchObject([{ slot: 9 }]);
});

test.each([
  ["203.0.113.9", "203.0.113.0/24"],
  ["2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::/64", "2001:db8::/48"],
  ["unknown", "unknown"],
])("shortens %s to %s", async (address, short) => {
  await start({});
  expect(shortAddress(address)).toBe(short);
});
