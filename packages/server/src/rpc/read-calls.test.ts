import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type Calls, inspectText, readCalls } from "./read-calls.ts";

const read = (text: string) => (readCalls(Buffer.from(`[${text}]`), 1) as Calls).entries[0];

const params = (text: string) =>
  (read(`{"jsonrpc":"2.0","id":1,"method":"m"${text}}`) as { params: unknown }).params;

describe("readCalls", () => {
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

describe("inspectText", () => {
  test.each([
    ['{"id":1,"method":"a"}', null],
    ['{"id":1,"id":2}', new Map([[0, "id"]])],
    ['{"id":1,"params":{"id":2,"method":3},"method":"a"}', null],
    ['{ "id" : 1 , "\\u0069d" : 2 }', new Map([[0, "id"]])],
    ['{"id":"method","method":"id"}', null],
    ['{"id":"\\"","method":"\\\\","id":1}', new Map([[0, "id"]])],
  ])("finds members given twice in %s", (text, expected) => {
    expect(inspectText(text, false).repeated).toEqual(expected);
  });

  test("shows which request of a batch gives a member twice", () => {
    const text = '[{"id":1,"method":"a"},5,[1,2],{"id":1,"method":"a","method":"b"},{"id":1,"method":"a"}]';
    expect(inspectText(text, true).repeated).toEqual(new Map([[3, "method"]]));
  });

  test("measures nesting as it stands, regardless of what strings hold", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(inspectText(text, false).depth).toBe(depthOf(JSON.parse(text)));
      }),
    );
  });

  test("finds no repetition in what a serialiser wrote", () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), { minLength: 1 }),
        (requests) => {
          expect(inspectText(JSON.stringify(requests), true).repeated).toBeNull();
        },
      ),
    );
  });
});

const depthOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

describe("numbers that JavaScript may not hold", () => {
  test.each(["1.0", "1e400", "-0", "-1", "12345678901234567", "[1,2.5]", '{"a":{"b":1E2}}', " 1e1\n"])(
    "are found in %s",
    (text) => expect(inspectText(text, false).hasInexactNumber).toBe(true),
  );
  test.each(["0", "[123456789012345,7]", '{"id":1,"params":["1.5e9",0]}', '"-0"', "[true,null,false]"])(
    "are not seen in %s",
    (text) => expect(inspectText(text, false).hasInexactNumber).toBe(false),
  );
});
