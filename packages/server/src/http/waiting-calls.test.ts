// Calls whose answers take long.
import { once } from "node:events";
import { connect } from "node:net";
import type { ViewSource } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { describe, expect, test } from "vitest";
import { expectRefusal, post, startTestServer, testKey } from "../../test/protocol-server.ts";

const unknown = '{"jsonrpc":"2.0","id":1,"method":"nope"}';

/** A store whose views come when the test says so. */
const createSlowStore = () => {
  const opened = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<never>();
  const viewSource: ViewSource = {
    openView: () => {
      opened.resolve();
      return gate.promise;
    },
  };
  return { viewSource, opened: opened.promise, fail: (error: Error) => gate.reject(error) };
};

describe("a call that waits", () => {
  const ACCOUNT_CALL =
    '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["So11111111111111111111111111111111111111112"]}';
  const ASSET_CALL =
    '{"jsonrpc":"2.0","id":2,"method":"getAsset","params":["So11111111111111111111111111111111111111112"]}';

  test("too long is refused with the code its clients know", async () => {
    const slow = createSlowStore();
    const hasty = await startTestServer({ viewSource: slow.viewSource, limits: { callTimeoutMs: 100 } });
    try {
      const { status, text } = await post(hasty, `[${ACCOUNT_CALL},${ASSET_CALL}]`);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject([
        { id: 1, error: { code: -32602, data: { reason: "QUERY__OVER_BUDGET" } } },
        { id: 2, error: { code: -32066 } },
      ]);
    } finally {
      slow.fail(new Error("over"));
      await hasty.stop();
    }
  });

  test("is finished when the server stops, and nothing new is taken", async () => {
    const slow = createSlowStore();
    const stopping = await startTestServer({ viewSource: slow.viewSource });
    const answer = post(stopping, ASSET_CALL);
    await slow.opened;
    const stopped = stopping.stop();
    await expect(fetch(stopping.url)).rejects.toThrow();
    slow.fail(new LamplightError("ASSET__NOT_FOUND", { id: "x" }));
    const { headers, text } = await answer;
    expect(JSON.parse(text)).toMatchObject({ id: 2, error: { code: -32000 } });
    expect(headers.get("connection")).toBe("close");
    await stopped;
  });

  test("is answered when it had arrived, though unread, as the server was asked to stop", async () => {
    const stopping = await startTestServer();
    const call = `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${unknown.length}\r\n\r\n${unknown}`;
    const socket = connect(stopping.port, "127.0.0.1");
    socket.write(call);
    // A connection that is used once is idle to node:http until it has read the next request.
    expect(String((await once(socket, "data"))[0])).toContain("Connection: keep-alive");
    socket.write(call);
    const stopped = stopping.stop();
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close\r\n/u);
    await stopped;
  });

  test("is cut off when the stop's deadline passes", async () => {
    const slow = createSlowStore();
    const stopping = await startTestServer({ viewSource: slow.viewSource, limits: { drainMs: 50 } });
    const answer = post(stopping, ASSET_CALL);
    const failed = expect(answer).rejects.toThrow();
    await slow.opened;
    await stopping.stop();
    await failed;
    slow.fail(new Error("over"));
  });

  test("is refused with 503 and Retry-After while the store is loading", async () => {
    const loading = await startTestServer({
      viewSource: {
        openView: () => {
          throw new LamplightError("STORE__LOADING", { retryAfterSeconds: 7 });
        },
      },
    });
    try {
      const answer = await post(loading, ACCOUNT_CALL);
      expectRefusal(answer, 503, -32067);
      expect(answer.headers.get("retry-after")).toBe("7");
      const ready = await fetch(`${loading.url}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([503, { status: "loading" }]);
    } finally {
      await loading.stop();
    }
  });
});
