// What the short way may read: only what node:http reads as the same one request.
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { once } from "node:events";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { randomOf } from "../../test/random.ts";
import { readWhole } from "./whole-request.ts";

const SEED = Number(process.env["LAMPLIGHT_FUZZ_SEED"] ?? 1);
/** `npm run bench -- chaos` runs many more. */
const REQUESTS = Number(process.env["LAMPLIGHT_FUZZ_REQUESTS"] ?? 400);

const BODY = '{"jsonrpc":"2.0","id":1}';
const HEAD = ["Host: x", "Content-Type: application/json", `Content-Length: ${BODY.length}`];
const textOf = (lines: readonly string[], body = BODY, first = "POST /v3/key HTTP/1.1"): string =>
  [first, ...lines, "", body].join("\r\n");

const socket = new Socket();
const read = (text: string) => readWhole(Buffer.from(text, "latin1"), socket);

describe("readWhole", () => {
  test("reads a plain POST", () => {
    const found = read(textOf([...HEAD, "Connection: Keep-Alive", "X-Two-Words: a  b", "Accept:*/*"]));
    expect(found).toMatchObject({ key: "key", url: "/v3/key" });
    expect(found!.body.toString()).toBe(BODY);
    expect({ ...found!.headers }).toEqual({
      host: "x",
      "content-type": "application/json",
      "content-length": String(BODY.length),
      connection: "Keep-Alive",
      "x-two-words": "a  b",
      accept: "*/*",
    });
  });

  test.each(["agave", "spec"])("reads a POST whose query names the profile %s", (profile) => {
    const found = read(textOf(HEAD, BODY, `POST /v3/key?profile=${profile} HTTP/1.1`));
    expect(found).toMatchObject({ key: "key", url: `/v3/key?profile=${profile}` });
  });

  const length = `Content-Length: ${BODY.length}`;
  test.each<[string, string]>([
    ["a part of a request", textOf(HEAD).slice(0, -1)],
    ["a head alone", textOf(HEAD, "")],
    ["half a head", textOf(HEAD).slice(0, 30)],
    ["more than a request", `${textOf(HEAD)}P`],
    ["two requests", textOf(HEAD).repeat(2)],
    ["blank lines before it", `\r\n${textOf(HEAD)}`],
    ["another method", textOf(HEAD, BODY, "PUT /v3/key HTTP/1.1")],
    ["another path", textOf(HEAD, BODY, "POST /v4/key HTTP/1.1")],
    ["a query", textOf(HEAD, BODY, "POST /v3/key?x=1 HTTP/1.1")],
    ["an unknown profile", textOf(HEAD, BODY, "POST /v3/key?profile=agav HTTP/1.1")],
    ["a profile among others", textOf(HEAD, BODY, "POST /v3/key?profile=agave&x=1 HTTP/1.1")],
    ["a deeper path", textOf(HEAD, BODY, "POST /v3/key/readyz HTTP/1.1")],
    ["no key", textOf(HEAD, BODY, "POST /v3/ HTTP/1.1")],
    ["an escaped key", textOf(HEAD, BODY, "POST /v3/k%65y HTTP/1.1")],
    ["an absolute target", textOf(HEAD, BODY, "POST http://x/v3/key HTTP/1.1")],
    ["HTTP/1.0", textOf(HEAD, BODY, "POST /v3/key HTTP/1.0")],
    ["HTTP/1.2", textOf(HEAD, BODY, "POST /v3/key HTTP/1.2")],
    ["no host", textOf(HEAD.slice(1))],
    ["two hosts", textOf([...HEAD, "host: y"])],
    ["no length", textOf(HEAD.slice(0, 2))],
    ["two lengths", textOf([...HEAD, length])],
    ["a length with a sign", textOf(["Host: x", `Content-Length: +${BODY.length}`])],
    ["a length with a zero in front", textOf(["Host: x", `Content-Length: 0${BODY.length}`])],
    ["a list of lengths", textOf(["Host: x", `Content-Length: ${BODY.length}, ${BODY.length}`])],
    ["chunks", textOf([...HEAD, "Transfer-Encoding: chunked"])],
    ["an expectation", textOf([...HEAD, "Expect: 100-continue"])],
    ["an upgrade", textOf([...HEAD, "Upgrade: h2c"])],
    ["a connection that closes", textOf([...HEAD, "Connection: close"])],
    ["a list of connection options", textOf([...HEAD, "Connection: keep-alive, Upgrade"])],
    ["a trailer", textOf([...HEAD, "Trailer: X"])],
    ["a folded header", textOf([...HEAD, "X: y", " z"])],
    ["a space before the colon", textOf([...HEAD, "X : y"])],
    ["an empty value", textOf([...HEAD, "X:"])],
    ["a tab in a value", textOf([...HEAD, "X: a\tb"])],
    ["a space behind a value", textOf([...HEAD, "X: a "])],
    ["a line feed alone", textOf([...HEAD, "X: a\nY: b"])],
    ["a carriage return alone", textOf([...HEAD, "X: a\rY: b"])],
    ["a NUL", textOf([...HEAD, "X: \0"])],
    ["a byte beyond ASCII", textOf([...HEAD, "X: \u00e9"])],
    ["a name that is no token", textOf([...HEAD, "X(: y"])],
    ["a long head", textOf([...HEAD, `X: ${"y".repeat(9000)}`])],
  ])("leaves %s to node:http", (_what, text) => {
    expect(read(text)).toBeNull();
  });
});

interface Seen {
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly headers: object;
  readonly body: string;
}

describe("node:http", () => {
  let server: Server;
  let seen: Seen[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const { url, method, headers } = request;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push({ url, method, headers, body: Buffer.concat(chunks).toString("latin1") });
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The requests that node:http makes of a text, once it has answered or refused. */
  const readByNode = async (text: string): Promise<readonly Seen[]> => {
    seen = [];
    const caller = connect((server.address() as AddressInfo).port, "127.0.0.1");
    caller.end(Buffer.from(text, "latin1"));
    caller.resume();
    await once(caller, "close");
    return seen;
  };

  const names = [
    "Accept",
    "X-A",
    "host",
    "Content-Length",
    "Connection",
    "Transfer-Encoding",
    "Solana-Client",
  ];
  const values = ["x", "1", "24", "keep-alive", "close", "chunked", "a b", "*/*", "", "\t", "identity"];

  const textFrom = (random: (below: number) => number): string => {
    const lines = [...HEAD];
    for (let more = random(4); more > 0; more--)
      lines.push(`${names[random(names.length)]}:${" ".repeat(random(3))}${values[random(values.length)]}`);
    let text = textOf(lines);
    for (let changes = random(3); changes > 0; changes--) {
      const at = random(text.length);
      const byte = String.fromCharCode(random(256));
      text = text.slice(0, at) + [byte, "", "\r\n", " "][random(4)]! + text.slice(at + random(2));
    }
    return text;
  };

  test(
    `reads the same from what is read here (seed ${SEED}, ${REQUESTS} requests)`,
    async () => {
      const random = randomOf(SEED);
      let count = 0;
      for (let done = 0; done < REQUESTS; done++) {
        const text = textFrom(random);
        const whole = read(text);
        if (whole === null) continue;
        count++;
        const expected = {
          url: whole.url,
          method: "POST",
          headers: { ...whole.headers },
          body: whole.body.toString("latin1"),
        };
        const found = await readByNode(text);
        expect(
          found.map((one) => ({ ...one, headers: { ...one.headers } })),
          JSON.stringify(text),
        ).toEqual([expected]);
      }
      expect(count).toBeGreaterThan(REQUESTS / 20);
    },
    60_000 + REQUESTS * 100,
  );
});
