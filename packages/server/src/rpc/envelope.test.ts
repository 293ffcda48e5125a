import { parseExact } from "@lamplight/core";
import { describe, expect, test } from "vitest";

import { readRpcRequest } from "./envelope.ts";

const read = (text: string) => readRpcRequest(parseExact(text));

const params = (text: string) =>
  (read(`{"jsonrpc":"2.0","id":1,"method":"m"${text}}`) as { params: unknown }).params;

describe("readRpcRequest", () => {
  test.each([
    "0",
    "1",
    "-7",
    "1.0",
    "1.50",
    "1e2",
    "-0",
    "9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890",
    '""',
    '"a-b"',
    '"\\u0000x"',
    '"18446744073709551615"',
    "null",
  ])("keeps the id %s as it was sent", (id) => {
    expect(read(`{"jsonrpc":"2.0","id":${id},"method":"m"}`)).toEqual({
      kind: "call",
      id,
      method: "m",
      params: undefined,
    });
  });

  test.each(["true", "false", "[1]", "[]", "{}"])("refuses the id %s", (id) => {
    expect(read(`{"jsonrpc":"2.0","id":${id},"method":"m"}`)).toMatchObject({ kind: "invalid", id: "null" });
  });

  test("takes a request without id as a notification", () => {
    expect(read('{"jsonrpc":"2.0","method":"m","params":[1]}')).toEqual({ kind: "notification" });
  });

  test.each(["5", '"x"', "null", "[1]", "true", "1.0", "[]"])("refuses %s, which is no object", (text) => {
    expect(read(text)).toMatchObject({ kind: "invalid", id: "null" });
  });

  test.each([
    ['"jsonrpc":"1.0","method":"m"', "jsonrpc"],
    ['"jsonrpc":2.0,"method":"m"', "jsonrpc"],
    ['"method":"m"', "jsonrpc"],
    ['"jsonrpc":"2.0"', "method"],
    ['"jsonrpc":"2.0","method":1', "method"],
    ['"jsonrpc":"2.0","method":null', "method"],
    ['"jsonrpc":"2.0","method":"m","params":"x"', "params"],
    ['"jsonrpc":"2.0","method":"m","params":5', "params"],
    ['"jsonrpc":"2.0","method":"m","params":1.0', "params"],
    ['"jsonrpc":"2.0","method":"m","params":true', "params"],
    ['"jsonrpc":"2.0","method":"m","parms":[]', "did you mean params?"],
    ['"jsonrpc":"2.0","method":"m","__proto__":{}', "__proto__"],
  ])("refuses {%s} and says why, with the id", (members, reason) => {
    expect(read(`{"id":7,${members}}`)).toMatchObject({
      kind: "invalid",
      id: "7",
      reason: expect.stringContaining(reason) as string,
    });
  });

  test("takes params as positions, as names, as null and absent", () => {
    expect(params(',"params":[1]')).toEqual([1]);
    expect(params(',"params":{"a":1}')).toEqual({ a: 1 });
    expect(params(',"params":null')).toBeNull();
    expect(params("")).toBeUndefined();
  });
});
