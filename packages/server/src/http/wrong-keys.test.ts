// Guessing keys is slowed, and callers with a right key are not.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchangeRaw, post, startTestServer, TEST_KEY } from "../../test/protocol-server.ts";
import { createSmallStore, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer } from "../start-server.ts";

const call = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

const guess = (server: RunningServer, key: string) => post(server, call("nope", []), {}, `/v3/${key}`);

describe("wrong keys", () => {
  const logged: string[] = [];
  const collect = (fields: object, message: string): void =>
    void logged.push(JSON.stringify(fields) + message);

  test("are counted, logged without the key, and slowed after some", async () => {
    const limits = { wrongKeys: 5, wrongKeyDelayMs: 60_000 };
    const server = await startTestServer({ limits, log: { info: collect, warn: collect, error: collect } });
    try {
      for (let count = 0; count < 5; count++)
        expect((await guess(server, `guess-${count}`)).status).toBe(401);
      const slowed = await guess(server, "guess-5");
      expect([slowed.status, slowed.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(JSON.parse(slowed.text)).toMatchObject({ error: { code: -32062 }, id: null });
      expect(server.counts()).toMatchObject({ wrongKeys: 5, slowedKeys: 1 });
      expect(logged.join("\n")).toContain("wrong API key");
      expect(logged.join("\n")).toContain("127.0.0.1");
      expect(logged.join("\n")).not.toContain("guess");
    } finally {
      await server.stop();
    }
  });

  test("slow no one who has shown a right key on the connection, and a right key is only delayed", async () => {
    const limits = { wrongKeys: 2, wrongKeyDelayMs: 50 };
    const server = await startTestServer({ limits });
    try {
      for (let count = 0; count < 4; count++) expect((await guess(server, "wrong")).status).toBe(401);
      expect((await guess(server, TEST_KEY)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test("do not slow a key in use from the same address, on new connections too", async () => {
    const limits = { wrongKeys: 2, wrongKeyDelayMs: 60_000 };
    const server = await startTestServer({ limits });
    try {
      const statusOf = async (key: string): Promise<string> => {
        const body = call("nope", []);
        const head = `POST /v3/${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}`;
        return (await exchangeRaw(server, [`${head}\r\n\r\n${body}`])).slice(9, 12);
      };
      const statuses = [];
      for (const key of [TEST_KEY, "wrong", "wrong", "wrong", TEST_KEY, TEST_KEY, "wrong"])
        statuses.push(await statusOf(key));
      expect(statuses).toEqual(["200", "401", "401", "429", "200", "200", "429"]);
    } finally {
      await server.stop();
    }
  });

  test("of one address slow no other address", async () => {
    const limits = { wrongKeys: 2, wrongKeyDelayMs: 60_000 };
    const server = await startTestServer({ limits, trustProxy: true });
    try {
      const from = (address: string, key: string) =>
        post(server, call("nope", []), { "x-forwarded-for": address }, `/v3/${key}`);
      const statuses = [];
      for (let count = 0; count < 4; count++) statuses.push((await from("10.0.0.1", "wrong")).status);
      expect(statuses).toEqual([401, 401, 429, 429]);
      expect((await from("10.0.0.2", "wrong")).status).toBe(401);
      // The same network of an IPv6 address is the same caller.
      for (const host of ["1", "2"]) await from(`2001:db8:0:7::${host}`, "wrong");
      expect((await from("2001:db8:0:7:ffff::9", "wrong")).status).toBe(429);
      expect((await from("2001:db8:0:8::1", "wrong")).status).toBe(401);
    } finally {
      await server.stop();
    }
  });
});
