// `tools/quick-equality.ts` may only shorten what Vitest finds by itself.
import { describe, expect, test } from "vitest";

const deep = (depth: number, leaf: unknown): unknown => (depth === 0 ? leaf : [deep(depth - 1, leaf)]);
const circle: unknown[] = [1];
circle.push(circle);
const sameCircle: unknown[] = [1];
sameCircle.push(sameCircle);

describe("values that are not equal", () => {
  test.each<[string, unknown, unknown]>([
    ["a member", [1, { a: [2n, "x"] }], [1, { a: [2n, "y"] }]],
    ["the type of a member", { a: 1 }, { a: 1n }],
    ["the sign of zero", [0], [-0]],
    ["one more member", { a: 1 }, { a: 1, b: null }],
    ["a property of an array", Object.assign([1], { index: 0 }), [1]],
    ["a byte", Uint8Array.of(1, 2), Uint8Array.of(1, 3)],
    ["an address of a class", [new URL("http://a")], [new URL("http://b")]],
    ["a member of a set", { a: new Set([1]) }, { a: new Set([2]) }],
    ["the members of an iterable", [new Headers({ a: "1" })], [new Headers({ a: "2" })]],
    ["the message of an error", [new Error("a")], [new Error("b")]],
    ["a leaf far below", deep(200, 1), deep(200, 2)],
    ["a matcher", { a: "x" }, { a: expect.stringContaining("y") }],
  ])("%s", (_, one, other) => {
    expect(() => expect(one).toEqual(other)).toThrow(/to deeply equal/u);
    expect(() => expect(one).not.toEqual(other)).not.toThrow();
  });

  test("where only the strict comparison tells them apart", () => {
    expect(() => expect({ a: undefined }).toStrictEqual({})).toThrow(/to strictly equal/u);
    expect(() => expect([undefined]).toStrictEqual(Array(1))).toThrow(/to strictly equal/u);
  });
});

test.each<[string, unknown, unknown]>([
  [
    "plain values",
    [1, { a: [2n, "x", null] }, Uint8Array.of(1)],
    [1, { a: [2n, "x", null] }, Uint8Array.of(1)],
  ],
  ["a member that is undefined", { a: undefined }, {}],
  ["a matcher", { a: ["x", 1] }, { a: [expect.any(String), 1] }],
  ["a circle", circle, sameCircle],
  ["a leaf far below", deep(200, 1), deep(200, 1)],
])("%s are equal", (_, one, other) => {
  expect(one).toEqual(other);
});
