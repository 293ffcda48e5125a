// Everything but calls: what browsers ask first, the contract, and the probes.

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, expectRefusal, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";

const unknownText = '{"jsonrpc":"2.0","id":1,"method":"nope"}';

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer({});
});

afterAll(() => server.stop());

describe("browsers", () => {
  test("may call from anywhere, on every kind of reply", async () => {
    const response = await fetch(`${server.url}/v3/${testKey}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://playground.open-rpc.org",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,solana-client,x-any-header",
        "access-control-request-private-network": "true",
      },
    });
    expect(response.status).toBe(204);
    const allowed = response.headers.get("access-control-allow-headers")?.toLowerCase().split(/, */u);
    expect(allowed).toEqual(expect.arrayContaining(["content-type", "solana-client", "x-any-header"]));
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
    expect(response.headers.get("access-control-allow-private-network")).toBe("true");
    expect(response.headers.get("access-control-max-age")).toBe("86400");
    for (const answer of [
      await post(server, unknownText),
      await post(server, "{"),
      await post(server, '{"jsonrpc":"2.0","method":"x"}'),
      await post(server, unknownText, {}, "/v3/wrong"),
      await post(server, unknownText, {}, "/nowhere"),
    ]) {
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-expose-headers")).toContain("X-Slot");
    }
  });
});

const readContract = async (of: RunningServer, headers: Record<string, string> = {}) => {
  const response = await fetch(`${of.url}/openrpc.json`, { headers });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return (await response.json()) as { servers: [{ url: string }] };
};

describe("what is no call", () => {
  test("the contract shows where calls go, without a key unless one is public", async () => {
    expect((await readContract(server)).servers[0].url).toBe(`${server.url}/v3/<API_KEY>`);
    const open = await startTestServer({ publicKey: "demo", publicUrl: "https://rpc.example.org/" });
    try {
      expect((await readContract(open)).servers[0].url).toBe("https://rpc.example.org/v3/demo");
      expect(await (await fetch(`${open.url}/docs-config.json`)).json()).toEqual({ publicKey: "demo" });
    } finally {
      await open.stop();
    }
    expect(await (await fetch(`${server.url}/docs-config.json`)).json()).toEqual({ publicKey: null });
  });

  test("a Host header that is no host is not repeated", async () => {
    const ask = (host: string) =>
      exchangeRaw(server, [`GET /openrpc.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`]);
    expect(await ask("rpc-host:81")).toContain('"http://rpc-host:81/v3/<API_KEY>"');
    expect(await ask("evil/<script>")).toContain(`"${server.url}/v3/<API_KEY>"`);
  });

  test("liveness needs no store, readiness does", async () => {
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: "unreadable" }]);
  });

  test("POST to a page is 405, HEAD has no body", async () => {
    const refusal = await post(server, unknownText, {}, "/livez");
    expectRefusal(refusal, 405, -32600);
    expect([refusal.statusText, refusal.headers.get("allow")]).toEqual([
      "Only GET is supported on this path; calls go to POST /v3/<API_KEY>",
      "GET, HEAD, OPTIONS",
    ]);
    const head = await fetch(`${server.url}/livez`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});
