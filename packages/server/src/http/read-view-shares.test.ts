// One key must not use all read views.
import { connect } from "node:net";
import { NeedsSnapshot, type ViewSource } from "@lamplight/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBlockedStore } from "../../test/blocked-store.ts";
import { callText, post, testKey } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { startServer } from "../start-server.ts";

const search = callText("searchAssets", { burnt: false });
const account = callText("getAccountInfo", [smallAddress]);

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

describe("read views", () => {
  test("24 requests of one key leave views for other keys, and are answered themselves in the end", async () => {
    const { viewSource, held } = createBlockedStore(store);
    const server = await startServer({
      viewSource,
      keys: ["one", "two"],
      port: 0,
      limits: { callTimeoutMs: 600_000 },
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
    const { viewSource, held } = createBlockedStore(store);
    const limits = { callTimeoutMs: 600_000 };
    const server = await startServer({ viewSource, keys, port: 0, limits });
    try {
      const batch = `[${Array.from({ length: 50 }, () => search).join()}]`;
      const batches = batchKeys.flatMap((key) =>
        Array.from({ length: 24 }, () => post(server, batch, {}, `/v3/${key}`)),
      );
      await expect.poll(() => held.length).toBe(8 * views);
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
      openView: (commitment, opening) => {
        opened.push(opening !== undefined);
        if (opening !== undefined) throw new NeedsSnapshot();
        return store.reader.openView(commitment);
      },
    };
    const limits = { readViews: 1, callTimeoutMs: 600_000 };
    const server = await startServer({ viewSource, keys: [testKey], port: 0, limits });
    try {
      const answers = await Promise.all(Array.from({ length: 8 }, () => post(server, account)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(opened).toEqual(answers.flatMap(() => [true, false]));
      // Calls of a batch share one view, which holds a snapshot.
      expect((await post(server, `[${account},${account}]`)).status).toBe(200);
      expect(opened.slice(16)).toEqual([false]);
    } finally {
      await server.stop();
    }
  });

  test("all of them in use keep no probe waiting, and a probe keeps no caller waiting", async () => {
    const { viewSource, held } = createBlockedStore(store);
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
      limits: { callTimeoutMs: 600_000 },
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

  test("no view is opened for callers that left while they waited for one", async () => {
    const { viewSource, held } = createBlockedStore(store);
    let opened = 0;
    const counted: ViewSource = {
      openView: (commitment) => {
        opened++;
        return viewSource.openView(commitment);
      },
    };
    const limits = { readViews: 1, callTimeoutMs: 600_000 };
    const server = await startServer({ viewSource: counted, keys: ["one"], port: 0, limits });
    try {
      const first = post(server, search, {}, "/v3/one");
      await expect.poll(() => held.length).toBe(1);
      const sockets = Array.from({ length: 5 }, () => {
        const socket = connect(server.port, "127.0.0.1");
        socket.write(
          `POST /v3/one HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${account.length}\r\n\r\n${account}`,
        );
        return socket;
      });
      await expect.poll(() => server.load().viewQueue).toBe(5);
      for (const socket of sockets) socket.resetAndDestroy();
      await expect.poll(() => server.load().connections).toBe(1);
      // The server looks for callers that left ten times a second.
      await expect.poll(() => server.load().bodiesBytes).toBe(search.length);
      held[0]!();
      expect((await first).status).toBe(200);
      expect((await post(server, account, {}, "/v3/one")).status).toBe(200);
      expect([opened, server.load().viewQueue]).toEqual([2, 0]);
    } finally {
      await server.stop();
    }
  });

  test("a single key may hold all", async () => {
    const { viewSource, held } = createBlockedStore(store);
    const server = await startServer({
      viewSource,
      keys: ["one"],
      port: 0,
      limits: { callTimeoutMs: 600_000 },
    });
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
    const { viewSource, held } = createBlockedStore(store);
    const limits = { readViews: 1, callTimeoutMs: 15_000 };
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
      const batch = await post(
        server,
        `[${account},${search},${callText("rpc.discover", [])}]`,
        {},
        "/v3/one",
      );
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

  test.each([
    { requests: 90, areRefused: true },
    { requests: 12, areRefused: false },
  ])(
    "of $requests waiting requests, those that waited for long are refused: $areRefused",
    async ({ requests, areRefused }) => {
      const { viewSource, held } = createBlockedStore(store);
      // Waiting for 2.5 s without a break is overload, and 0.5 s are long then.
      const limits = { readViews: 1, callTimeoutMs: 300_000 };
      const server = await startServer({ viewSource, keys: ["one"], port: 0, limits });
      try {
        const waiting = Array.from({ length: requests }, () => post(server, search, {}, "/v3/one"));
        await expect.poll(() => held.length).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 3000));
        const release = setInterval(() => held.splice(0).forEach((goOn) => goOn()), 5);
        const statuses = (await Promise.all(waiting)).map(({ status }) => status);
        clearInterval(release);
        const refused = statuses.filter((status) => status === 503).length;
        expect(statuses.filter((status) => status === 200)).toHaveLength(requests - refused);
        expect(refused > 0).toBe(areRefused);
      } finally {
        await server.stop();
      }
    },
  );

  test("keys that wait are served in turn", async () => {
    const { viewSource, held } = createBlockedStore(store);
    const limits = { readViews: 1, callTimeoutMs: 600_000 };
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
        await post(server, callText("nope", []), {}, "/v3/one");
      }
      all.push(ask("two"));
      await post(server, callText("nope", []), {}, "/v3/two");
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
  `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test("a head that is not read, because earlier requests of its connection wait, is not late", async () => {
  const { viewSource, held } = createBlockedStore(store);
  const limits = { receiveTimeoutMs: 100, callTimeoutMs: 600_000 };
  const server = await startServer({ viewSource, keys: [testKey], port: 0, limits });
  try {
    const last = requestOf(callText("rpc.discover", []));
    const socket = connect(server.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => (received += text));
    socket.on("error", () => undefined);
    // As many as may be in progress, and one that waits for them.
    socket.write(requestOf(search).repeat(8) + requestOf(account) + last.slice(0, 20));
    await expect.poll(() => held.length).toBe(8);
    // Late heads are looked for once a second.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    socket.write(last.slice(20));
    for (const goOn of held) goOn();
    await expect.poll(() => received.split("HTTP/1.1 200 OK").length - 1).toBe(10);
    expect(received).not.toContain("HTTP/1.1 408");
    socket.destroy();
  } finally {
    await server.stop();
  }
});
