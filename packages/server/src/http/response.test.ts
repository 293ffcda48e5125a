import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";

import {
  CallRequest,
  type Commitment,
  createMethodSettings,
  JsonBytes,
  type ReadView,
  turns,
  type ViewSource,
} from "@lamplight/core";
import { afterEach, describe, expect, test } from "vitest";

import { GateRequest } from "../../test/gate-request.ts";
import { Gate } from "../gate/gate.ts";
import { KeyRing } from "../keys.ts";
import { defaultLimits } from "../limits.ts";
import { silentLog } from "../log/log.ts";
import { ServerEvents } from "../log/server-events.ts";
import { CountedResponse, sendJsonBytes, sendLargeJson, viewHeaders } from "./response.ts";

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const listen = async (
  answer: (request: IncomingMessage, response: CountedResponse) => void,
): Promise<number> => {
  server = createServer({ ServerResponse: CountedResponse as never });
  server.on("request", (request, response) => answer(request, response as CountedResponse));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

const admit = () => {
  const events = new ServerEvents(silentLog);
  const gate = new Gate({ limits: defaultLimits, keys: new KeyRing([]), shared: null });
  const holder = { caller: null, address: "127.0.0.1" };
  return { gate, admitted: new GateRequest(gate, holder, events) };
};

test("a large body arrives as it is, regardless of what character a slice would end in", async () => {
  const { gate, admitted } = admit();
  // These characters have two code units each, from an even and from an odd place on; the last one has two bytes.
  const pieces = [
    `["${"\u{1f600}".repeat(900_000)}`,
    `x${"\u{1f600}\u{1f601}".repeat(600_000)}`,
    '\u00e9"',
    "]",
  ];
  const port = await listen(
    (_request, response) => void sendLargeJson(response, pieces, admitted, ["X-A", "b"]),
  );
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const text = await response.text();
  expect(text === pieces.join("")).toBe(true);
  expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text));
  expect(response.headers.get("x-a")).toBe("b");
  expect(gate.answers.held).toBe(0);
});

test.each([10, 100_000])("an answer in pieces of %i characters arrives as it is", async (size) => {
  const texts = ['["', "é☀".repeat(size), "x".repeat(size), '"]'];
  const port = await listen((_request, response) =>
    sendJsonBytes(response, new JsonBytes(texts.map((text) => Buffer.from(text))), ["X-A", "b"]),
  );
  for (let repeat = 0; repeat < 3; repeat++) {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const text = await response.text();
    expect(text === texts.join("")).toBe(true);
    expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text));
    expect(response.headers.get("x-a")).toBe("b");
  }
});

test("a caller who leaves in the midst of an answer in pieces does not spoil the next one", async () => {
  const size = 30 << 20;
  const port = await listen((_request, response) =>
    sendJsonBytes(response, new JsonBytes([Buffer.alloc(size, "x"), Buffer.from("end")]), []),
  );
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  await once(socket, "data");
  socket.destroy();
  await once(socket, "close");
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(text === `${"x".repeat(size)}end`).toBe(true);
});

test("what a caller who has left does not take is no longer owed", async () => {
  const { gate, admitted } = admit();
  const sent = Promise.withResolvers<void>();
  const port = await listen((_request, response) => {
    response.socket!.destroy();
    void sendLargeJson(response, ["x".repeat(20 << 20), "y".repeat(20 << 20)], admitted, []).then(
      sent.resolve,
    );
  });
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  socket.on("error", () => undefined);
  await sent.promise;
  expect(gate.answers.held).toBe(0);
});

test("a large body is owed from the first moment, also while it waits to be measured", async () => {
  const { gate, admitted } = admit();
  const pieces = ["x".repeat(5 << 20), "y".repeat(5 << 20)];
  const counted = Promise.withResolvers<number>();
  const port = await listen((_request, response) => {
    while (!turns.isUsedUp());
    void sendLargeJson(response, pieces, admitted, []);
    counted.resolve(gate.answers.held);
  });
  const body = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(body.length).toBe(10 << 20);
  expect(await counted.promise).toBe(10 << 20);
  expect(gate.answers.held).toBe(0);
});

test("a large body is written as it is taken, and not all of it copied for the system", async () => {
  const bytes = 64 << 20;
  const answered = Promise.withResolvers<CountedResponse>();
  const port = await listen((_request, response) => {
    void sendLargeJson(response, ["x".repeat(bytes)], admit().admitted, []);
    answered.resolve(response);
  });
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  socket.pause();
  const response = await answered.promise;
  await expect.poll(() => response.writableNeedDrain).toBe(true);
  let most = 0;
  for (let turn = 0; turn < 200; turn++) {
    most = Math.max(most, response.socket!.writableLength);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(most).toBeLessThan(8 << 20);
  let received = 0;
  socket.on("data", (chunk: Buffer) => (received += chunk.length));
  socket.resume();
  await expect.poll(() => received).toBeGreaterThan(bytes);
  socket.destroy();
});

/** A request whose views know nothing but where they stand. */
const requestAt = async (
  views: readonly { commitment: Commitment; slot: number; trees: readonly string[] }[],
) => {
  const viewSource: ViewSource = {
    openView: (commitment) => {
      const { slot } = views.find((view) => view.commitment === commitment)!;
      return { slot } as ReadView;
    },
  };
  const request = new CallRequest({ viewSource, settings: createMethodSettings({ apiVersion: "1" }) });
  for (const { commitment, trees } of views) {
    await request.view(commitment);
    request.noteIncompleteTrees(trees);
  }
  return request;
};

describe("viewHeaders", () => {
  test("names the slot when all was read at one", async () => {
    const request = await requestAt([
      { commitment: "finalized", slot: 7, trees: [] },
      { commitment: "confirmed", slot: 7, trees: [] },
    ]);
    expect(viewHeaders(request)).toEqual(["X-Slot", "7"]);
  });

  test("leaves the slot out when there are several, or none", async () => {
    const request = await requestAt([
      { commitment: "finalized", slot: 7, trees: [] },
      { commitment: "confirmed", slot: 9, trees: [] },
    ]);
    expect(viewHeaders(request)).toEqual([]);
    expect(viewHeaders(await requestAt([]))).toEqual([]);
  });

  test("names the slot of the last update, where the answer is one asset", async () => {
    const request = await requestAt([{ commitment: "finalized", slot: 7, trees: [] }]);
    request.noteUpdatedSlot(0);
    expect(viewHeaders(request)).toEqual(["X-Slot", "7", "X-Updated-Slot", "0"]);
  });

  test("says where an answer lists only what dumps hold", async () => {
    const request = await requestAt([{ commitment: "finalized", slot: 7, trees: [] }]);
    request.notePartial();
    expect(viewHeaders(request)).toEqual(["X-Slot", "7", "X-Coverage", "partial"]);
  });

  test("names trees with gaps once each, and counts those beyond the bound", async () => {
    const trees = Array.from({ length: 23 }, (_, index) => `tree${index + 10}`);
    const request = await requestAt([
      { commitment: "finalized", slot: 7, trees },
      { commitment: "confirmed", slot: 7, trees: trees.slice(0, 3) },
    ]);
    expect(viewHeaders(request)).toEqual([
      "X-Slot",
      "7",
      "X-Incomplete-Trees",
      `${trees.slice(0, 20).join(", ")}, +3`,
    ]);
  });
});
