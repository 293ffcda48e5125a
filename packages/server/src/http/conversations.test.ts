// These tests send the same requests on one connection in different pieces: the answers, their order and the end are
// the same.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startTestServer, testDocument, testKey } from "../../test/protocol-server.ts";
import { randomOf } from "../../test/random.ts";
import type { RunningServer } from "../start-server.ts";

const SEED = Number(process.env["LAMPLIGHT_FUZZ_SEED"] ?? 1);

const headOf = (more: string): string =>
  `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n`;

const callOf = (id: number, more = "", method = "nope"): string => {
  const body = JSON.stringify({ jsonrpc: "2.0", id, method });
  return headOf(`${more}Content-Length: ${body.length}\r\n`) + body;
};

const closeText = "Connection: close\r\n";
const chunkedText = "Transfer-Encoding: chunked\r\n";
const garbageText = "\0garbage\r\n\r\n";
const CALL_WITHOUT_HOST = callOf(9).replace("Host: x\r\n", "");
const FOREIGN_HOST = callOf(9).replace("Host: x\r\n", "Host: page.example\r\n");

interface Conversation {
  readonly name: string;
  /** Requests, and what is none. */
  readonly parts: readonly string[];
  /** Status of each answer, and the id that it repeats. */
  readonly answers: readonly string[];
  /** Whether only the end of the caller's side shows what is wrong. */
  readonly isCut?: true;
}

const conversations: readonly Conversation[] = [
  { name: "three calls", parts: [callOf(1), callOf(2), callOf(3)], answers: ["200 1", "200 2", "200 3"] },
  {
    name: "calls of different cost",
    parts: [callOf(1, "", "rpc.discover"), callOf(2), callOf(3, "", "rpc.discover"), callOf(4)],
    answers: ["200 1", "200 2", "200 3", "200 4"],
  },
  {
    name: "calls and garbage",
    parts: [callOf(1), callOf(2), garbageText],
    answers: ["200 1", "200 2", "400 null"],
  },
  { name: "garbage twice", parts: [callOf(1), garbageText, garbageText], answers: ["200 1", "400 null"] },
  {
    name: "a call behind garbage",
    parts: [callOf(1), garbageText, callOf(2)],
    answers: ["200 1", "400 null"],
  },
  { name: "only garbage", parts: [garbageText], answers: ["400 null"] },
  { name: "close", parts: [callOf(1), callOf(2, closeText)], answers: ["200 1", "200 2"] },
  {
    name: "close, then a call",
    parts: [callOf(1), callOf(2, closeText), callOf(3)],
    answers: ["200 1", "200 2"],
  },
  { name: "close, then garbage", parts: [callOf(1, closeText), garbageText], answers: ["200 1"] },
  {
    name: "HTTP/1.0, then a call",
    parts: [callOf(1).replace("HTTP/1.1", "HTTP/1.0"), callOf(2)],
    answers: ["200 1"],
  },
  { name: "a refused host, then a call", parts: [FOREIGN_HOST, callOf(2)], answers: ["421 null"] },
  {
    name: "a refused host, then garbage",
    parts: [callOf(1), FOREIGN_HOST, garbageText],
    answers: ["200 1", "421 null"],
  },
  {
    name: "no host, then a call",
    parts: [callOf(1), CALL_WITHOUT_HOST, callOf(2)],
    answers: ["200 1", "400 null"],
  },
  { name: "no host, then garbage", parts: [CALL_WITHOUT_HOST, garbageText], answers: ["400 null"] },
  {
    name: "a broken body",
    parts: [callOf(1), `${headOf(chunkedText)}5\r\nhelloX\r\n`, callOf(2)],
    answers: ["200 1", "400 null"],
  },
  {
    name: "a broken body that waits behind calls",
    parts: [callOf(1), callOf(2), callOf(3), `${headOf(chunkedText)}zz\r\n`],
    answers: ["200 1", "200 2", "200 3", "400 null"],
  },
  {
    name: "half a head",
    isCut: true,
    parts: [callOf(1), headOf("").slice(0, 40)],
    answers: ["200 1", "400 null"],
  },
  {
    name: "half a body",
    isCut: true,
    parts: [callOf(1), callOf(2).slice(0, -5)],
    answers: ["200 1", "400 null"],
  },
  {
    name: "an unknown expectation",
    parts: [callOf(1), callOf(2, "Expect: nothing\r\n"), callOf(3)],
    answers: ["200 1", "200 2", "200 3"],
  },
  {
    name: "a page, a call, a page",
    parts: ["GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", callOf(1), "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"],
    answers: ["200 ", "200 1", "404 null"],
  },
  {
    name: "CONNECT",
    parts: [callOf(1, "", "rpc.discover"), callOf(2), "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", callOf(3)],
    answers: ["200 1", "200 2", "405 null"],
  },
  {
    name: "the preface of HTTP/2",
    parts: [callOf(1), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\u0004\0\0\0\0\0"],
    answers: ["200 1", "400 null"],
  },
  {
    name: "an upgrade that is not made",
    parts: [callOf(1), callOf(2, "Connection: Upgrade\r\nUpgrade: websocket\r\n"), callOf(3)],
    answers: ["200 1", "200 2"],
  },
  { name: "nothing", parts: [], answers: [] },
];

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Sends the pieces, each in a segment of its own, ends this side, and reads until the server ends its own. */
const converse = async (pieces: readonly string[], ends = true, port = server.port): Promise<string> => {
  const socket = connect(port, "127.0.0.1").setNoDelay().setEncoding("latin1");
  let received = "";
  socket.on("data", (text: string) => (received += text));
  const ended = once(socket, "close");
  await once(socket, "connect");
  for (const piece of pieces) {
    socket.write(piece, "latin1");
    // The server, which is in this process, reads a piece at a time.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  if (ends) socket.end();
  await ended;
  return received.replaceAll(/Date: [^\r]+\r\n/gu, "");
};

const answersOf = (received: string): readonly string[] =>
  received
    .split("HTTP/1.1 ")
    .slice(1)
    .map((text) => `${text.slice(0, 3)} ${/"id":(\w+)\}$/u.exec(text)?.[1] ?? ""}`);

describe.each(conversations)("$name", ({ parts, answers, isCut }) => {
  const text = parts.join("");

  test("is answered in order, in one piece and request by request", async () => {
    const whole = await converse([text]);
    expect(answersOf(whole)).toEqual(answers);
    expect(await converse(parts)).toBe(whole);
  });

  test.skipIf(isCut)("is ended by the server where an answer says so", async () => {
    const whole = await converse([text]);
    if (whole.includes(closeText)) expect(await converse(parts, false)).toBe(whole);
  });

  test("is answered alike, wherever it is divided", async () => {
    const whole = await converse([text]);
    for (let at = 1; at < text.length; at += 64) {
      const cuts = Array.from({ length: Math.min(64, text.length - at) }, (_, index) => at + index);
      const received = await Promise.all(cuts.map((cut) => converse([text.slice(0, cut), text.slice(cut)])));
      for (const [index, one] of received.entries()) expect(one, `divided at ${cuts[index]}`).toBe(whole);
    }
  });

  test(`is answered alike in random pieces (seed ${SEED})`, async () => {
    const random = randomOf(SEED);
    const whole = await converse([text]);
    const divide = (): readonly string[] => {
      const pieces: string[] = [];
      for (let at = 0; at < text.length;) {
        const length = 1 + random(random(4) === 0 ? 400 : 40);
        pieces.push(text.slice(at, at + length));
        at += length;
      }
      return pieces;
    };
    const all = Array.from({ length: 30 }, divide);
    const received = await Promise.all(all.map((pieces) => converse(pieces)));
    for (const [index, one] of received.entries())
      expect(one, `seed ${SEED}: ${JSON.stringify(all[index])}`).toBe(whole);
  });
});

test("hundreds of calls are answered before the garbage behind them, and their caller's end", async () => {
  const ids = Array.from({ length: 900 }, (_, id) => id);
  const calls = ids.map((id) => callOf(id)).join("");
  const expected = ids.map((id) => `200 ${id}`);
  expect(answersOf(await converse([calls]))).toEqual(expected);
  expect(answersOf(await converse([calls + garbageText]))).toEqual([...expected, "400 null"]);
  expect(answersOf(await converse([calls + callOf(900, closeText) + garbageText]))).toEqual([
    ...expected,
    "200 900",
  ]);
});

test("a large answer is taken whole by a caller that has ended its side, and behind a CONNECT", async () => {
  const document = { ...testDocument, info: { title: "x".repeat(16 << 20), version: "0.0.0" } };
  const other = await startTestServer({ document });
  try {
    const large = callOf(1, "", "rpc.discover");
    const connectText = "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n";
    expect(answersOf(await converse([large + large], true, other.port))).toEqual(["200 1", "200 1"]);
    const all = ["200 1", "200 1", "405 null"];
    expect(answersOf(await converse([large + large + connectText], true, other.port))).toEqual(all);
  } finally {
    await other.stop();
  }
});
