import { parseExact } from "@lamplight/core";
import { exactJson } from "@lamplight/sources/endpoint";
import { assert, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { prettyJson } from "./pretty-json.ts";

test("every number keeps its digits, on one line and on many", () => {
  const text = '{"a":[18446744073709551615,1.0,-0,1e-6,1.50],"b":{"c":null,"d":"\\u0007"}}';
  expect(exactJson(parseExact(text))).toBe(text);
  expect(exactJson(parseExact(prettyJson(parseExact(text))))).toBe(text);
});

test("a value is the same after printing, and no line of short members is longer than the bound", () => {
  assert(
    property(jsonValue({ maxDepth: 5 }), (value) => {
      const pretty = prettyJson(value);
      expect(JSON.parse(pretty)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(JSON.parse(exactJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("what does not fit on a line is broken up", () => {
  const item = { name: "x".repeat(40), ids: [1, 2, 3] };
  expect(prettyJson([item, item])).toBe(
    `[\n  { "name": "${"x".repeat(40)}", "ids": [1, 2, 3] },\n  { "name": "${"x".repeat(40)}", "ids": [1, 2, 3] }\n]`,
  );
  expect(prettyJson({ deep: { list: ["y".repeat(60), "z".repeat(60)], none: [] } })).toContain(
    `{\n  "deep": {\n    "list": [\n      "y`,
  );
});
