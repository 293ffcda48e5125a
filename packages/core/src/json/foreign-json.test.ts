import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseForeignJson } from "./foreign-json.ts";
import { writeJson } from "./write-json.ts";

const rewrite = (text: string): string | undefined => {
  const value = parseForeignJson(text);
  return value === undefined ? undefined : writeJson(value);
};

describe("parseForeignJson", () => {
  test("writes back every digit it came with", () => {
    const text = '{"a":[1,18446744073709551615,1.0,1e400,-0,0.10],"b":"1e3","__proto__":{"x":null}}';
    expect(rewrite(text)).toBe(text);
  });

  test("takes the last of equal keys", () => {
    expect(rewrite('{"a":1,"a":{"b":2}}')).toBe('{"a":{"b":2}}');
  });

  test.each(["", "{", '{"a":1,}', "<html>", "\ufeff{}", "nul", '"open', '{"a":01}'])("refuses %j", (text) => {
    expect(parseForeignJson(text)).toBeUndefined();
  });

  test("is bounded in depth and in values, brackets inside text not counted", () => {
    const bounds = { depthMax: 3, nodesMax: 5 };
    expect(parseForeignJson("[[[]]]", bounds)).toBeDefined();
    expect(parseForeignJson("[[[[]]]]", bounds)).toBeUndefined();
    expect(parseForeignJson("[1,2,3,4]", bounds)).toBeDefined();
    expect(parseForeignJson("[1,2,3,4,5]", bounds)).toBeUndefined();
    expect(parseForeignJson(String.raw`["[[[[\"[[[[,,,,\\"]`, bounds)).toBeDefined();
    expect(parseForeignJson("[".repeat(1_000_000))).toBeUndefined();
  });

  test("equals JSON.parse for what JavaScript wrote", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(rewrite(text) ?? "")).toEqual(JSON.parse(text));
      }),
    );
  });
});
