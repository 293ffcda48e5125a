import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, post, startTestServer, testKey, testDocument } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer({ limits: { batchCalls: 5 } });
});

afterAll(() => server.stop());

const call = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  const answer = await post(server, body, headers);
  return { ...answer, json: answer.text === "" ? null : (JSON.parse(answer.text) as unknown) };
};

const failure = (code: number, id: unknown = null) => ({
  jsonrpc: "2.0",
  error: expect.objectContaining({ code }) as unknown,
  id,
});

/** An internal error has an id of its own. */
const withoutErrorId = (text: string): string => text.replace(/[0-9a-f-]{36}/gu, "*");

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a body that is no JSON", () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ["an empty body", ""],
    ["spaces only", "  \n"],
    ["half an object", '{"jsonrpc":"2.0","id":1'],
    ["something behind the end", '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"} x'],
    ["a byte order mark", '\ufeff{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'],
    ["a lone surrogate half's bytes", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    [
      "invalid UTF-8 inside a string",
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":"'),
        Buffer.of(0xff),
        Buffer.from('","method":"rpc.discover"}'),
      ]),
    ],
    ["nesting one level too deep", `{"jsonrpc":"2.0","id":1,"method":"rpc.discover","params":${deep(127)}}`],
    ["nesting that overflows a naive parser", deep(120_000)],
    ["open nesting", "[".repeat(240_000)],
    ["a number JSON does not know", '{"jsonrpc":"2.0","id":01,"method":"rpc.discover"}'],
  ])("answers -32700 for %s", async (_what, body) => {
    const { status, json } = await call(body);
    expect(status).toBe(200);
    expect(json).toEqual(failure(-32700));
  });

  test("goes 127 levels deep", async () => {
    const { json } = await call(`{"jsonrpc":"2.0","id":1,"method":"rpc.discover","params":${deep(126)}}`);
    expect(json).toEqual(failure(-32602, 1));
  });
});

describe("a call", () => {
  test("is answered in one object, result before id", async () => {
    const { text, headers } = await call('{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}');
    const document = JSON.stringify({
      ...testDocument,
      servers: [{ name: "Lamplight", url: `${server.url}/v3/${testKey}` }],
    });
    expect(text).toBe(`{"jsonrpc":"2.0","result":${document},"id":1}`);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  test.each(["1", "-1.50", "1e400", "123456789012345678901", '"0"', '""', '"helius-sdk"', "null"])(
    "gets the id %s back",
    async (id) => {
      const { text } = await call(`{"method":"nope","jsonrpc":"2.0","id":${id}}`);
      expect(text.endsWith(`,"id":${id}}`)).toBe(true);
    },
  );

  test("with an id that was escaped gets the same string back", async () => {
    const { json } = await call('{"jsonrpc":"2.0","id":"\\u0041\\ud83d\\ude00\\u0000","method":"nope"}');
    expect(json).toEqual(failure(-32601, "A😀\0"));
  });

  test.each(["true", "[1]", "{}"])("with the id %s is -32600 and gets null back", async (id) => {
    expect((await call(`{"jsonrpc":"2.0","id":${id},"method":"rpc.discover"}`)).json).toEqual(
      failure(-32600),
    );
  });

  test.each(["null", "5", '"x"', "true"])("is no %s", async (body) => {
    expect((await call(body)).json).toEqual(failure(-32600));
  });

  test.each(["method", "id", "params", "jsonrpc"])("that gives %s twice is refused", async (member) => {
    const { json } = await call(
      `{"${member}":[],"jsonrpc":"2.0","id":1,"method":"rpc.discover","params":[]}`,
    );
    expect(json).toMatchObject({ error: { code: -32600, data: { reason: `${member} is given twice` } } });
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "", "getassets", "rpc.discove"])(
    "of %j is an unknown method",
    async (method) => {
      expect((await call(JSON.stringify({ jsonrpc: "2.0", id: 1, method }))).json).toEqual(
        failure(-32601, 1),
      );
    },
  );

  test.each([
    ["getAssetsByOwner", "use searchAssets with ownerAddress"],
    ["getAssetProof", "this server stores no proofs; read them from an RPC provider with the DAS API"],
    ["getBalance", "use getAccountInfo; read value.lamports"],
  ])("of %s, which other servers have, is reported what answers instead", async (method, hint) => {
    const { json } = await call(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }));
    const message = `Method not found; ${hint}`;
    expect(json).toMatchObject({ error: { code: -32601, message, data: { method, hint } } });
  });

  test("of a misspelt method names the nearest one", async () => {
    const { json } = await call('{"jsonrpc":"2.0","id":1,"method":"getAcountInfo"}');
    const hint = "did you mean getAccountInfo?";
    expect(json).toMatchObject({
      error: {
        message: `Method not found; ${hint}`,
        data: { method: "getAcountInfo", nearest: "getAccountInfo", hint },
      },
    });
  });

  test("with a misspelt member names the one that was meant", async () => {
    const { json } = await call('{"jsonrpc":"2.0","id":1,"method":"getAsset","parms":[]}');
    expect(json).toMatchObject({
      error: { code: -32600, message: "Invalid request; did you mean params?", data: { nearest: "params" } },
    });
  });

  test("does not get a long method name thrown back", async () => {
    const { text, json } = await call(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(100_000) }));
    expect(json).toEqual(failure(-32601, 1));
    expect(text.length).toBeLessThan(300);
  });

  test("to rpc.discover takes no parameters, in any empty form", async () => {
    for (const params of ["[]", "{}"]) {
      const { json } = await call(`{"jsonrpc":"2.0","id":1,"method":"rpc.discover","params":${params}}`);
      expect(json).toMatchObject({ result: { openrpc: "1.2.6" } });
    }
    expect((await call('{"jsonrpc":"2.0","id":1,"method":"rpc.discover","params":[1]}')).json).toEqual(
      failure(-32602, 1),
    );
  });

  test.each(["rpc.discover", "getLargestAccounts", "searchAssets", "getAsset"])(
    "to %s with params null is -32602, alone and in a batch",
    async (method) => {
      const text = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":null}`;
      expect((await call(text)).json).toMatchObject({
        error: { code: -32602, data: { parameter: "params" } },
        id: 1,
      });
      expect((await call(`[${text}]`)).json).toEqual([failure(-32602, 1)]);
    },
  );

  test.each(["rpc.discover", "getLargestAccounts", "searchAssets", "getAsset", "getAccountInfo"])(
    "to %s with params null is one without params for Solana clients, alone and in a batch",
    async (method) => {
      const callWith = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"${method}"${params}}`;
      const solana = { "solana-client": "js/2.0" };
      for (const wrap of [(one: string) => one, (one: string) => `[${one}]`]) {
        const { text } = await call(wrap(callWith(',"params":null')), solana);
        const { text: expected } = await call(wrap(callWith("")), solana);
        expect(withoutErrorId(text)).toBe(withoutErrorId(expected));
        expect(text).not.toContain('"parameter":"params"');
      }
    },
  );

  test("that breaks inside reports an id and nothing else", async () => {
    const { json, text } = await call(
      '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["So11111111111111111111111111111111111111112"]}',
    );
    expect(json).toEqual({
      jsonrpc: "2.0",
      error: {
        code: -32603,
        message: "Internal error",
        data: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
      },
      id: 1,
    });
    expect(text).not.toContain("store");
  });
});

describe("a notification", () => {
  test.each([
    '{"jsonrpc":"2.0","method":"getAccountInfo","params":["x"]}',
    '{"jsonrpc":"2.0","method":"nope"}',
    '[{"jsonrpc":"2.0","method":"nope"},{"jsonrpc":"2.0","method":"rpc.discover"}]',
  ])("is not answered: %s", async (body) => {
    const { status, text } = await call(body);
    expect([status, text]).toEqual([204, ""]);
  });

  test("that is no valid request is refused, since no one could have meant it", async () => {
    expect((await call('{"jsonrpc":"2.0","method":1}')).json).toEqual(failure(-32600));
  });
});

const batch = (count: number, method: string) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method })));

describe("a batch", () => {
  test("is answered in its order, notifications left out, faults where they stand", async () => {
    const { json } = await call(
      '[{"jsonrpc":"2.0","id":"a","method":"nope"},{"jsonrpc":"2.0","method":"nope"},5,{"foo":1},{"jsonrpc":"2.0","id":2,"method":"rpc.discover"}]',
    );
    expect(json).toEqual([
      failure(-32601, "a"),
      failure(-32600),
      failure(-32600),
      { jsonrpc: "2.0", result: expect.anything() as unknown, id: 2 },
    ]);
  });

  test("of one stays an array", async () => {
    expect((await call('[{"jsonrpc":"2.0","id":1,"method":"nope"}]')).json).toEqual([failure(-32601, 1)]);
  });

  test("may repeat an id", async () => {
    const one = '{"jsonrpc":"2.0","id":"helius-sdk","method":"nope"}';
    expect((await call(`[${one},${one}]`)).json).toEqual([
      failure(-32601, "helius-sdk"),
      failure(-32601, "helius-sdk"),
    ]);
  });

  test("that is empty is one -32600", async () => {
    expect((await call("[]")).json).toEqual(failure(-32600));
  });

  test("of nothing but values is one -32600 for each", async () => {
    expect((await call("[1,[],null]")).json).toEqual([failure(-32600), failure(-32600), failure(-32600)]);
  });

  test("over the bound is refused as a whole, at the bound it is not", async () => {
    expect((await call(batch(5, "nope"))).json).toHaveLength(5);
    const refused = await call(batch(6, "getAsset"));
    expect(refused.status).toBe(200);
    expect(refused.json).toMatchObject({ error: { code: -32065, data: { limit: 5 } }, id: null });
    expect((await call(batch(6, "getAccountInfo"))).json).toMatchObject({
      error: { code: -32600, data: { reason: "REQUEST__BATCH_TOO_LARGE" } },
      id: null,
    });
  });
});

const requestText = (id: number) => {
  const body = `{"jsonrpc":"2.0","id":${id},"method":"nope"}`;
  return `POST /v3/${testKey} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

test("two requests on one connection, sent at once, are answered in order", async () => {
  const received = await exchangeRaw(server, [requestText(1) + requestText(2)], (text) =>
    text.includes('"id":2'),
  );
  expect(received.indexOf('"id":1')).toBeGreaterThan(0);
  expect(received.indexOf('"id":1')).toBeLessThan(received.indexOf('"id":2'));
});
