// These tests send what a browser may be made to send: a Host by DNS rebinding, and private-network preflights.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchangeRaw, startTestServer, testKey } from "../../test/protocol-server.ts";
import { createSmallStore, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer } from "../start-server.ts";

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

const ask = async (server: RunningServer, head: string): Promise<string> =>
  exchangeRaw(server, [`${head}\r\nConnection: close\r\n\r\n`]);
const get = (server: RunningServer, host: string) =>
  ask(server, `GET /docs-config.json HTTP/1.1\r\nHost: ${host}`);

describe("Host", () => {
  test("that another name leads here by DNS rebinding is refused on loopback", async () => {
    const server = await startTestServer({ publicKey: "demo", publicUrl: "https://rpc.example.org" });
    try {
      for (const host of [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "internal.evil.example",
      ]) {
        const received = await get(server, host);
        expect([host, received.slice(0, 13)]).toEqual([host, "HTTP/1.1 421 "]);
        expect(received).not.toContain("demo");
      }
      const own = [
        "localhost:1",
        "LOCALHOST",
        "127.0.0.1",
        "[::1]:5267",
        "lamplight",
        "rpc.example.org",
        "a.localhost",
        "host.docker.internal:5267",
      ];
      for (const host of own)
        expect([host, (await get(server, host)).slice(0, 13)]).toEqual([host, "HTTP/1.1 200 "]);
      expect(server.counts().hostsRefused).toBe(5);
    } finally {
      await server.stop();
    }
  });

  test("is answered where it is listed, or where a proxy decides", async () => {
    const listed = await startTestServer({ allowedHosts: ["rpc.example.org"] });
    const proxied = await startTestServer({ trustProxy: true });
    try {
      expect(await get(listed, "RPC.example.org:81")).toContain("HTTP/1.1 200 ");
      expect(await get(listed, "other.example.org")).toContain("HTTP/1.1 421 ");
      expect(await get(proxied, "other.example.org")).toContain("HTTP/1.1 200 ");
    } finally {
      await listed.stop();
      await proxied.stop();
    }
  });

  test.each(["GET /livez", "GET /livez HTTP/2.0\r\nHost: x"])(
    "%s is not answered as HTTP/1.1",
    async (head) => {
      const server = await startTestServer();
      try {
        const received = await ask(server, head);
        expect(received).toMatch(/^HTTP\/1\.1 400 /u);
        expect(received).not.toContain("alive");
      } finally {
        await server.stop();
      }
    },
  );
});

const preflight = async (server: RunningServer, origin: string): Promise<string | null> => {
  const headers = { origin, "access-control-request-private-network": "true" };
  const response = await fetch(`${server.url}/v3/${testKey}`, { method: "OPTIONS", headers });
  expect(response.status).toBe(204);
  return response.headers.get("access-control-allow-private-network");
};

describe("private-network preflights", () => {
  const playground = "https://playground.open-rpc.org";
  test("are granted to listed origins only", async () => {
    const server = await startTestServer();
    const own = await startTestServer({ privateNetworkOrigins: ["https://mine.example"] });
    try {
      expect(await preflight(server, playground)).toBe("true");
      expect(await preflight(server, "https://evil.example")).toBeNull();
      expect(await preflight(own, "https://mine.example")).toBe("true");
      expect(await preflight(own, playground)).toBeNull();
    } finally {
      await server.stop();
      await own.stop();
    }
  });

  test("are granted on loopback only", async () => {
    const server = await startTestServer({ host: "0.0.0.0", keys: ["a-key-of-sixteen-chars"] });
    try {
      expect(await preflight({ ...server, url: `http://127.0.0.1:${server.port}` }, playground)).toBeNull();
    } finally {
      await server.stop();
    }
  });
});
