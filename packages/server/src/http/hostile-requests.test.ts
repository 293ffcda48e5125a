// Requests that try to be read differently by two readers, or to break the one: none is answered with 5xx, none starts a
// second request, and the server goes on.
import { spawn } from "node:child_process";
import { once } from "node:events";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import { randomOf } from "../../test/random.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer, startServer } from "../start-server.ts";

const SEED = Number(process.env["LAMPLIGHT_FUZZ_SEED"] ?? 1);
/** `npm run bench -- chaos` runs many more. */
const REQUESTS = Number(process.env["LAMPLIGHT_FUZZ_REQUESTS"] ?? 400);

const bodyText = '{"jsonrpc":"2.0","id":1,"method":"nope"}';
const inner = `GET /livez HTTP/1.1\r\nHost: x\r\nX: `;

const post1 = (headers: string, body: string): string =>
  `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

describe("request smuggling", () => {
  let server: RunningServer;
  beforeAll(async () => {
    // Nothing that waits for more bytes holds the test up.
    server = await startTestServer({
      limits: { receiveTimeoutMs: 300, keepAliveMs: 300 },
    });
  });
  afterAll(() => server.stop());

  const chunked = "Transfer-Encoding: chunked\r\n";
  const zero = `0\r\n\r\n${inner}`;
  const cases: readonly (readonly [name: string, request: string])[] = [
    ["length and chunks", post1(`Content-Length: 4\r\n${chunked}`, zero)],
    ["chunks and length", post1(`${chunked}Content-Length: 4\r\n`, zero)],
    ["two lengths", post1(`Content-Length: 5\r\nContent-Length: 100\r\n`, `0\r\n\r\n${inner}`)],
    ["a list of lengths", post1("Content-Length: 5, 100\r\n", zero)],
    ["a negative length", post1("Content-Length: -1\r\n", inner)],
    ["a signed length", post1("Content-Length: +5\r\n", zero)],
    ["a hexadecimal length", post1("Content-Length: 0x5\r\n", zero)],
    ["a length with a fraction", post1("Content-Length: 5.0\r\n", zero)],
    ["a length beyond 64 bits", post1("Content-Length: 18446744073709551621\r\n", zero)],
    ["an empty length", post1("Content-Length: \r\n", inner)],
    ["chunked twice", post1(`${chunked}${chunked}Content-Length: 4\r\n`, zero)],
    ["chunked that is not last", post1("Transfer-Encoding: chunked, identity\r\n", zero)],
    ["an unknown coding", post1("Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n", zero)],
    ["a coding before a tab", post1("Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n", zero)],
    ["a coding after a vertical tab", post1("Transfer-Encoding: \vchunked\r\nContent-Length: 4\r\n", zero)],
    ["a space before the colon", post1("Transfer-Encoding : chunked\r\nContent-Length: 4\r\n", zero)],
    ["a folded header", post1("X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", zero)],
    [
      "a bare line feed between headers",
      post1("X: y\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n", zero),
    ],
    [
      "a bare carriage return in a header",
      post1("X: y\rTransfer-Encoding: chunked\r\nContent-Length: 4\r\n", zero),
    ],
    ["a NUL in a header", post1("X: \0\r\nContent-Length: 4\r\n", inner)],
    ["a chunk size with a sign", post1(chunked, `+5\r\nhello\r\n${zero}`)],
    ["a chunk size with a prefix", post1(chunked, `0x5\r\nhello\r\n${zero}`)],
    ["a chunk size beyond 64 bits", post1(chunked, `10000000000000000\r\nhello\r\n${zero}`)],
    ["a chunk without its end", post1(chunked, `5\r\nhelloX\r\n${zero}`)],
    ["a chunk ended by a line feed", post1(chunked, `5\r\nhello\n${zero}`)],
    ["a chunk size ended by a line feed", post1(chunked, `5\nhello\r\n${zero}`)],
    ["a chunk extension with a line feed", post1(chunked, `5;a\nb\r\nhello\r\n${zero}`)],
    ["two Host headers", `GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${inner}`],
    ["a space in the target", `GET /livez /x HTTP/1.1\r\nHost: x\r\n\r\n${inner}`],
    ["HTTP/0.9", `GET /livez\r\n\r\n${inner}`],
    ["HTTP/3.0", `GET /livez HTTP/3.0\r\nHost: x\r\n\r\n${inner}`],
    ["CONNECT", `CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n${inner}`],
  ];

  test("never makes a request of what follows", async () => {
    const outcomes = cases.map(async ([name, request]) => {
      const received = await exchangeRaw(server, [`${request}\r\n\r\n`]).catch(() => "");
      expect(received, name).not.toContain("alive");
      expect(received, name).not.toMatch(/HTTP\/1\.1 (?:2|5)\d\d/u);
    });
    await Promise.all(outcomes);
    expect((await post(server, bodyText)).status).toBe(200);
  });
});

const errors: string[] = [];
const error = (fields: object, message: string): void => void errors.push(JSON.stringify(fields) + message);

describe("random requests", () => {
  let store: SmallStore;
  let server: RunningServer;
  beforeAll(async () => {
    store = await createSmallStore();
    server = await startServer({
      viewSource: store.reader,
      keys: [testKey],
      port: 0,
      limits: { receiveTimeoutMs: 300, keepAliveMs: 300, wrongKeys: 1_000_000 },
      log: { info: () => undefined, warn: () => undefined, error },
    });
  });
  afterAll(async () => {
    await server.stop();
    store.remove();
  });

  const methods = [
    "getAccountInfo",
    "getAsset",
    "searchAssets",
    "getNftEditions",
    "getTokenSupply",
    "getLargestAccounts",
  ];
  const values = [
    "null",
    "1",
    "-1",
    "1e400",
    '"x"',
    `"${smallAddress}"`,
    "[]",
    "{}",
    "true",
    '{"limit":0}',
    '"\\ud800"',
  ];

  /** A call, and then some of its bytes changed, left out or repeated. */
  const requestOf = (random: (below: number) => number): string => {
    const params = Array.from({ length: random(5) }, () => values[random(values.length)]).join(",");
    const method = methods[random(methods.length)]!;
    const call = `{"jsonrpc":"2.0","id":${values[random(values.length)]},"method":"${method}","params":[${params}]}`;
    const body = random(4) === 0 ? `[${call},${call}]` : call;
    const text = post1(`Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`, body);
    let changed = text;
    for (let changes = random(4); changes > 0; changes--) {
      const at = random(changed.length);
      const byte = String.fromCharCode(random(128));
      const kinds = [
        byte + changed.slice(at + 1),
        changed.slice(at + 1),
        byte + changed.slice(at),
        changed.slice(at - 9),
      ];
      changed = changed.slice(0, at) + kinds[random(kinds.length)]!;
    }
    return changed;
  };

  test(
    `get no 5xx and leave no internal error (seed ${SEED}, ${REQUESTS} requests)`,
    async () => {
      const random = randomOf(SEED);
      for (let done = 0; done < REQUESTS; done += 100) {
        const requests = Array.from({ length: 100 }, () => requestOf(random));
        const answers = await Promise.all(
          requests.map((request) => exchangeRaw(server, [request]).catch(() => "")),
        );
        for (const [index, answer] of answers.entries())
          expect(answer, `seed ${SEED}: ${JSON.stringify(requests[index])}`).not.toMatch(/HTTP\/1\.1 5/u);
      }
      expect(errors, `seed ${SEED}`).toEqual([]);
      expect((await post(server, bodyText)).status).toBe(200);
    },
    60_000 + REQUESTS * 300,
  );
});

test("a request that arrived while the server was held up is answered, not 408", async () => {
  const server = await startTestServer({ limits: { receiveTimeoutMs: 500 } });
  // Sends half a head, then, while this process is held up, the rest.
  const script = `
    const socket = require("node:net").connect(${server.port}, "127.0.0.1");
    socket.on("data", (data) => process.stdout.write(data, () => process.exit()));
    socket.on("close", () => process.exit());
    socket.write("GET /livez HTTP/1.1\\r\\nHo", () => process.stdout.write("half\\n"));
    process.stdin.once("data", () => setTimeout(() => socket.write("st: x\\r\\n\\r\\n"), 200));
  `;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    let received = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (received += text));
    await expect.poll(() => received).toContain("half");
    child.stdin.write("go");
    // The pipe takes the word at once; then nothing runs here until the request has long been there.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
    await once(child, "exit");
    expect(received).toContain("HTTP/1.1 200 ");
  } finally {
    child.kill("SIGKILL");
    await server.stop();
  }
});

test("requests that arrive together are answered in as many turns, also where each is refused at once", async () => {
  const sentAtOnce = 200;
  let [ended, most, all] = [0, 0, 0];
  const onEnd = (): void => {
    most = Math.max(most, ++ended);
    all++;
    setImmediate(() => (ended = 0));
  };
  const server = await startTestServer({ requests: { onEnd } });
  try {
    // Node runs promises between two of them only where they have bodies.
    const wrong = `POST /v3/wrong HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    await exchangeRaw(server, [wrong.repeat(sentAtOnce)], () => all === sentAtOnce);
    expect(most).toBeLessThanOrEqual(2);
  } finally {
    await server.stop();
  }
});
