// Guessing keys is slowed, and callers with a right key are not.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchangeRaw, post, startTestServer, testKey } from "../../test/protocol-server.ts";
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
    const limits = { wrongKeys: 5 };
    const server = await startTestServer({ limits, log: { info: collect, warn: collect, error: collect } });
    try {
      for (let count = 0; count < 5; count++)
        expect((await guess(server, `guess-${count}`)).status).toBe(401);
      // More than are checked at once.
      const all = await Promise.all(Array.from({ length: 40 }, () => guess(server, "guess-5")));
      const slowed = all.filter(({ status }) => status !== 401);
      expect(slowed.length).toBeGreaterThan(0);
      for (const { status, headers, text } of slowed) {
        expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
        expect(JSON.parse(text)).toMatchObject({ error: { code: -32062 }, id: null });
      }
      expect(server.counts()).toMatchObject({ wrongKeys: 45 - slowed.length, slowedKeys: slowed.length });
      expect(logged.join("\n")).toContain("wrong API key");
      expect(logged.join("\n")).toContain("127.0.0.1");
      expect(logged.join("\n")).not.toContain("guess");
    } finally {
      await server.stop();
    }
  });

  test("slow no one who has shown a right key on the connection, and a right key is checked after some wrong ones", async () => {
    const limits = { wrongKeys: 2 };
    const server = await startTestServer({ limits });
    try {
      for (let count = 0; count < 4; count++) expect((await guess(server, "wrong")).status).toBe(401);
      expect((await guess(server, testKey)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test("do not slow a key in use from the same address, on new connections too", async () => {
    const limits = { wrongKeys: 2 };
    const server = await startTestServer({ limits });
    try {
      const statusOf = async (key: string): Promise<string> => {
        const body = call("nope", []);
        const head = `POST /v3/${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}`;
        return (await exchangeRaw(server, [`${head}\r\n\r\n${body}`])).slice(9, 12);
      };
      expect(await statusOf(testKey)).toBe("200");
      const wrong = await Promise.all(Array.from({ length: 40 }, () => statusOf("wrong")));
      expect(new Set(wrong)).toEqual(new Set(["401", "429"]));
      for (let count = 0; count < 2; count++) expect(await statusOf(testKey)).toBe("200");
    } finally {
      await server.stop();
    }
  });

  test("of one address slow no other address", async () => {
    const limits = { wrongKeys: 2 };
    const server = await startTestServer({ limits, trustProxy: true });
    try {
      const from = (address: string, key: string) =>
        post(server, call("nope", []), { "x-forwarded-for": address }, `/v3/${key}`);
      const statusesOf = async (addressOf: (count: number) => string): Promise<ReadonlySet<number>> => {
        const all = Array.from({ length: 40 }, (_, count) => from(addressOf(count), "wrong"));
        return new Set((await Promise.all(all)).map(({ status }) => status));
      };
      for (const key of ["wrong", "wrong"]) await from("10.0.0.1", key);
      expect(await statusesOf(() => "10.0.0.1")).toEqual(new Set([401, 429]));
      expect((await from("10.0.0.2", "wrong")).status).toBe(401);
      expect(await statusesOf((count) => `10.0.1.${count}`)).toEqual(new Set([401]));
      // The same network of an IPv6 address is the same caller.
      for (const host of ["1", "2"]) await from(`2001:db8:0:7::${host}`, "wrong");
      expect(await statusesOf((count) => `2001:db8:0:7:ffff::${count}`)).toEqual(new Set([401, 429]));
      expect((await from("2001:db8:0:8::1", "wrong")).status).toBe(401);
    } finally {
      await server.stop();
    }
  });
});
