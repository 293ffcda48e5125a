import { expect, test } from "vitest";
import { reasonFor } from "./decided.ts";
import { differencesOf } from "./differences.ts";

const answer = (result: string): string => `{"jsonrpc":"2.0","result":${result},"id":1}`;

const differences = (ours: string, theirs: string): readonly object[] =>
  differencesOf(answer(ours), answer(theirs));

test("order of members, context and 0.0 do not count", () => {
  const ours = '{"a":0,"b":[1.5],"context":{"slot":1}}';
  expect(differences(ours, '{"context":{"slot":2},"b":[1.5],"a":0.0}')).toEqual([]);
});

test("every digit counts", () => {
  expect(differences("18446744073709551615", "18446744073709551614")).toEqual([
    { path: "result", ours: "18446744073709551615", theirs: "18446744073709551614" },
  ]);
});

test("what only one side has is named", () => {
  expect(differences('{"a":{"b":null}}', '{"a":{}}')).toEqual([
    { path: "result.a.b", ours: "null", theirs: null },
  ]);
  expect(differences("[1]", "[1,2]")).toEqual([{ path: "result.length", ours: "1", theirs: "2" }]);
});

test("records are compared by their ids", () => {
  expect(differences('[{"id":"a","n":1},{"id":"b"}]', '[{"id":"c"},{"id":"a","n":2}]')).toEqual([
    { path: "result[] of one", ours: '"b"', theirs: null },
    { path: "result[] of one", ours: null, theirs: '"c"' },
    { path: "result[].n", ours: "1", theirs: "2" },
  ]);
  expect(differences('[{"id":"a"},{"id":"b"}]', '[{"id":"b"},{"id":"a"}]')).toEqual([
    { path: "result in order", ours: '["a","b"]', theirs: '["b","a"]' },
  ]);
});

test("an error differs from a result", () => {
  const refused = '{"jsonrpc":"2.0","error":{"code":-1,"message":"no"},"id":1}';
  expect(differencesOf(answer("1"), refused)).toHaveLength(2);
});

test("a decided difference has a reason, with these values only", () => {
  const missing = { path: "result", ours: "null", theirs: '{"context":{"slot":"#1"},"value":null}' };
  expect(reasonFor(missing)).toMatch(/^ours: /u);
  expect(reasonFor({ ...missing, theirs: "null" })).toBeNull();
  expect(reasonFor({ ...missing, ours: missing.theirs, theirs: "null" })).toBeNull();
  const path = "result.items[].supply.print_current_supply";
  expect(reasonFor({ path, ours: "3", theirs: "0" })).toMatch(/^theirs: /u);
  expect(reasonFor({ path, ours: "3", theirs: "2" })).toBeNull();
  expect(reasonFor({ path: "result.total", ours: "3", theirs: "4" })).toBeNull();
  expect(reasonFor({ path: "result.value[].lamports", ours: "3", theirs: "4" })).toBeNull();
  expect(reasonFor({ path: "result.id", ours: "3", theirs: "4" })).toBeNull();
});
