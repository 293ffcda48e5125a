// A server that floods with pings and reads no answer, over real HTTP/2.

import { once } from "node:events";
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { encodePingRequest } from "./encode-request.ts";
import { YellowstoneSource } from "./yellowstone-source.ts";

const PINGS = 30_000;
/** A gRPC message: an update with an empty ping. */
const ping = Buffer.from([0, 0, 0, 0, 2, 6 * 8 + 2, 0]);
const pongBytes = 5 + encodePingRequest(1).length;

test("answers to pings do not pile up for a server that does not read them", async () => {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  const { promise, resolve } = Promise.withResolvers<ServerHttp2Stream>();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    resolve(stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stopping = new AbortController();
  const source = new YellowstoneSource({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: null,
    accounts: { all: {} },
    transactionPrograms: [],
    commitment: "processed",
    resumeFrom: () => 1,
    signal: stopping.signal,
  });
  const running = (async () => {
    for await (const event of source.events()) void event;
  })();
  try {
    const stream = await promise;
    stream.write(Buffer.concat(Array.from({ length: PINGS }, () => ping)));
    await expect.poll(() => source.state.messages).toBe(PINGS);
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => (bytes += chunk.length));
    let last = -1;
    await expect
      .poll(
        () => {
          const isStill = bytes > 0 && bytes === last;
          last = bytes;
          return isStill;
        },
        { interval: 500 },
      )
      .toBe(true);
    // Some were answered, by far not all.
    expect(bytes).toBeGreaterThan(pongBytes);
    expect(bytes).toBeLessThan((PINGS * pongBytes) / 2);
  } finally {
    stopping.abort();
    await running;
    for (const session of sessions) session.destroy();
    server.close();
  }
});
