// One key, or one address, must not keep the others from being answered.
import { once } from "node:events";
import { connect } from "node:net";

import { MoreReads, type ViewSource, type ReadView } from "@lamplight/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, post, startTestServer, TEST_KEY } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer, startServer } from "../start-server.ts";

const call = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const search = call("searchAssets", { burnt: false });
const account = call("getAccountInfo", [smallAddress]);

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

/** The real store, whose searches hold their view until they are released. */
const createHeldStore = () => {
  const held: (() => void)[] = [];
  const viewSource: ViewSource = {
    openView: async (commitment): Promise<ReadView> => {
      const view = await store.reader.openView(commitment);
      const searchAssets: ReadView["search"]["searchAssets"] = async (...query) => {
        await new Promise<void>((resolve) => held.push(resolve));
        return view.search.searchAssets(...query);
      };
      return new Proxy(view, {
        get: (target, name) => {
          const value: unknown = name === "search" ? { searchAssets } : Reflect.get(target, name, target);
          return typeof value === "function" ? (value as () => unknown).bind(target) : value;
        },
      });
    },
  };
  return { viewSource, held };
};

describe("read views", () => {
  test("24 requests of one key leave views for other keys, and are answered themselves in the end", async () => {
    const { viewSource, held } = createHeldStore();
    const server = await startServer({
      viewSource,
      keys: ["one", "two"],
      port: 0,
      limits: { viewWaitMs: 600_000, callTimeoutMs: 600_000 },
    });
    try {
      const waiting = Array.from({ length: 24 }, () => post(server, search, {}, "/v3/one"));
      await expect.poll(() => held.length).toBe(8);
      for (let round = 0; round < 20; round++)
        expect((await post(server, account, {}, "/v3/two")).status).toBe(200);
      expect(held).toHaveLength(8);
      const release = setInterval(() => held.splice(0).forEach((goOn) => goOn()), 5);
      const answers = await Promise.all(waiting);
      clearInterval(release);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      await server.stop();
    }
  });

  test.each([
    { keys: ["one"], batchKeys: ["one"], caller: "one", views: 12 },
    { keys: ["one", "two"], batchKeys: ["one"], caller: "two", views: 8 },
    { keys: ["one", "two", "three"], batchKeys: ["one", "two"], caller: "three", views: 12 },
  ])("long batches on 24 connections a key leave views for single calls: $keys", async (attack) => {
    const { keys, batchKeys, caller, views } = attack;
    const { viewSource, held } = createHeldStore();
    const limits = { callTimeoutMs: 600_000, batchConcurrency: 1 };
    const server = await startServer({ viewSource, keys, port: 0, limits });
    try {
      const batch = `[${Array.from({ length: 50 }, () => search).join()}]`;
      const batches = batchKeys.flatMap((key) =>
        Array.from({ length: 24 }, () => post(server, batch, {}, `/v3/${key}`)),
      );
      await expect.poll(() => held.length).toBe(views);
      for (let round = 0; round < 20; round++)
        expect((await post(server, account, {}, `/v3/${caller}`)).status).toBe(200);
      const release = setInterval(() => held.splice(0).forEach((goOn) => goOn()), 1);
      const answers = await Promise.all(batches);
      clearInterval(release);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      await server.stop();
    }
  });

  test("a call that restarts stays in its place: with one view, each is answered", async () => {
    const opened: boolean[] = [];
    const viewSource: ViewSource = {
      openView: (commitment, only) => {
        opened.push(only !== undefined);
        if (only !== undefined) throw new MoreReads();
        return store.reader.openView(commitment);
      },
    };
    const limits = { readViews: 1, viewWaitMs: 600_000, callTimeoutMs: 600_000 };
    const server = await startServer({ viewSource, keys: [TEST_KEY], port: 0, limits });
    try {
      const answers = await Promise.all(Array.from({ length: 8 }, () => post(server, account)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(opened).toEqual(answers.flatMap(() => [true, false]));
      // Calls of a batch share one view, of which no one knows beforehand all that is read.
      expect((await post(server, `[${account},${account}]`)).status).toBe(200);
      expect(opened.slice(16)).toEqual([false]);
    } finally {
      await server.stop();
    }
  });

  test("all of them in use keep no probe waiting, and a probe keeps no caller waiting", async () => {
    const { viewSource, held } = createHeldStore();
    let opened = 0;
    const counted: ViewSource = {
      openView: (commitment) => {
        opened++;
        return viewSource.openView(commitment);
      },
    };
    const server = await startServer({
      viewSource: counted,
      keys: ["one"],
      port: 0,
      limits: { viewWaitMs: 600_000 },
    });
    try {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      const waiting = Array.from({ length: 16 }, () => post(server, search, {}, "/v3/one"));
      await expect.poll(() => held.length).toBe(16);
      const startMs = performance.now();
      for (let probe = 0; probe < 100; probe++)
        expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ status: "ready" });
      // One at the first probe, one for each caller, and at most one a second.
      expect(opened).toBeLessThanOrEqual(18 + (performance.now() - startMs) / 1000);
      held.splice(0).forEach((goOn) => goOn());
      await Promise.all(waiting);
    } finally {
      await server.stop();
    }
  });

  test("a single key may hold all", async () => {
    const { viewSource, held } = createHeldStore();
    const server = await startServer({ viewSource, keys: ["one"], port: 0, limits: { viewWaitMs: 600_000 } });
    try {
      const waiting = Array.from({ length: 24 }, () => post(server, search, {}, "/v3/one"));
      await expect.poll(() => held.length).toBe(16);
      const release = setInterval(() => held.splice(0).forEach((goOn) => goOn()), 5);
      await Promise.all(waiting);
      clearInterval(release);
    } finally {
      await server.stop();
    }
  });

  test("without one, a single call is refused with 503, a call of a batch on its own", async () => {
    const { viewSource, held } = createHeldStore();
    const limits = { readViews: 1, viewWaitMs: 10 };
    const server = await startServer({ viewSource, keys: ["one"], port: 0, limits });
    try {
      const first = post(server, search, {}, "/v3/one");
      await expect.poll(() => held.length).toBe(1);
      for (const body of [account, search]) {
        const { status, headers, text } = await post(server, body, {}, "/v3/one");
        expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
        expect(JSON.parse(text)).toMatchObject({
          error: { code: -32069, data: { reason: "busy" } },
          id: null,
        });
      }
      const batch = await post(server, `[${account},${search},${call("rpc.discover", [])}]`, {}, "/v3/one");
      expect(batch.status).toBe(200);
      expect(JSON.parse(batch.text)).toMatchObject([
        { error: { code: -32603, data: { reason: "busy" } }, id: 1 },
        { error: { code: -32069, data: { reason: "busy" } }, id: 1 },
        { result: { openrpc: expect.any(String) as string } },
      ]);
      held[0]!();
      expect((await first).status).toBe(200);
      expect((await post(server, account, {}, "/v3/one")).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test("keys that wait are served in turn", async () => {
    const { viewSource, held } = createHeldStore();
    const limits = { readViews: 1, readViewsPerKey: 1, viewWaitMs: 600_000 };
    const server = await startServer({ viewSource, keys: ["one", "two"], port: 0, limits });
    try {
      const order: string[] = [];
      const ask = (key: string): Promise<unknown> =>
        post(server, search, {}, `/v3/${key}`).then(() => order.push(key));
      const all = [ask("one")];
      await expect.poll(() => held.length).toBe(1);
      // All of the first key's requests wait before the second key comes.
      for (let request = 0; request < 5; request++) {
        all.push(ask("one"));
        await post(server, call("nope", []), {}, "/v3/one");
      }
      all.push(ask("two"));
      await post(server, call("nope", []), {}, "/v3/two");
      const release = setInterval(() => held.splice(0).forEach((goOn) => goOn()), 5);
      await Promise.all(all);
      clearInterval(release);
      expect(order.indexOf("two")).toBeLessThan(3);
    } finally {
      await server.stop();
    }
  });
});

/** A whole request with a call. */
const requestOf = (body: string): string =>
  `POST /v3/${TEST_KEY} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test("a head that is not read, because earlier requests of its connection wait, is not late", async () => {
  const { viewSource, held } = createHeldStore();
  const limits = { headersTimeoutMs: 100, connectionRequests: 1, callTimeoutMs: 600_000 };
  const server = await startServer({ viewSource, keys: [TEST_KEY], port: 0, limits });
  try {
    const last = requestOf(call("rpc.discover", []));
    const socket = connect(server.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => (received += text));
    socket.on("error", () => undefined);
    socket.write(requestOf(search) + requestOf(account) + last.slice(0, 20));
    await expect.poll(() => held.length).toBe(1);
    // Late heads are looked for once a second.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    socket.write(last.slice(20));
    held[0]!();
    await expect.poll(() => received.split("HTTP/1.1 200 OK").length - 1).toBe(3);
    expect(received).not.toContain("HTTP/1.1 408");
    socket.destroy();
  } finally {
    await server.stop();
  }
});

/** Opens a connection from an address of this machine and waits until it is answered. */
const open = async (server: RunningServer, localAddress: string) => {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  socket.on("error", () => undefined);
  socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => received).toContain('"}');
  return { socket, status: Number(received.slice(9, 12)), received };
};

describe("connections of one address", () => {
  test("are bounded, and free again once they are closed", async () => {
    const server = await startTestServer({ limits: { connectionsPerAddress: 3 } });
    try {
      const opened = [];
      for (let count = 0; count < 3; count++) opened.push(await open(server, "127.0.0.1"));
      expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
      const refused = await open(server, "127.0.0.1");
      expect(refused.status).toBe(503);
      expect(refused.received).toContain("Retry-After: 1\r\n");
      expect(server.counts().addressFull).toBeGreaterThan(0);
      const other = await open(server, "127.0.0.2");
      expect(other.status).toBe(200);
      opened[0]!.socket.destroy();
      const again = async (): Promise<number> => (await open(server, "127.0.0.1")).status;
      await expect.poll(again).toBe(200);
      for (const { socket } of [...opened, refused, other]) socket.destroy();
    } finally {
      await server.stop();
    }
  });

  test("with trustProxy the forwarded address counts, by its requests in progress", async () => {
    const { viewSource, held } = createHeldStore();
    const limits = { connectionsPerAddress: 2 };
    const server = await startServer({ viewSource, keys: ["one"], port: 0, limits, trustProxy: true });
    try {
      const from = (address: string, body = search) =>
        post(server, body, { "x-forwarded-for": `9.9.9.9, ${address}` }, "/v3/one");
      const waiting = [from("10.0.0.1"), from("10.0.0.1"), from("10.0.0.2")];
      await expect.poll(() => held.length).toBe(3);
      expect((await from("10.0.0.1", account)).status).toBe(503);
      expect((await from("10.0.0.2", account)).status).toBe(200);
      held.forEach((goOn) => goOn());
      await Promise.all(waiting);
      expect((await from("10.0.0.1", account)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test("blank lines do not keep one open", async () => {
    const limits = { keepAliveMs: 1000, headersTimeoutMs: 1000 };
    const server = await startTestServer({ limits });
    try {
      const { socket } = await open(server, "127.0.0.1");
      const blank = setInterval(() => socket.write("\r\n"), 100);
      await once(socket, "close");
      clearInterval(blank);
      expect(server.counts().idleConnections).toBe(1);
    } finally {
      await server.stop();
    }
  });
});

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
  const response = await fetch(`${server.url}/v3/${TEST_KEY}`, { method: "OPTIONS", headers });
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
