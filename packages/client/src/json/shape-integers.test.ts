import { describe, expect, test } from "vitest";
import { parseExact } from "./parse-exact.ts";
import { shapeIntegers } from "./shape-integers.ts";

const plan = { lamports: "amount", seq: "other", list: { "[]": { supply: "amount" } } } as const;
const read = (): unknown =>
  parseExact(
    '{"lamports":1,"seq":2,"list":[{"supply":18446744073709551615}],"foreign":9007199254740993,"small":3}',
  );

describe("shapeIntegers", () => {
  test("gives amounts as bigint and all others as number, regardless of their size", () => {
    expect(shapeIntegers(read(), plan, "amounts")).toEqual({
      lamports: 1n,
      seq: 2,
      list: [{ supply: 18446744073709551615n }],
      foreign: 9007199254740992,
      small: 3,
    });
  });

  test("gives amounts as text, so that all of it is plain JSON", () => {
    const shaped = shapeIntegers(read(), plan, "string");
    expect(shaped).toMatchObject({ lamports: "1", list: [{ supply: "18446744073709551615" }] });
    expect(JSON.parse(JSON.stringify(shaped))).toEqual(shaped);
  });

  test("gives every 64-bit integer as bigint", () => {
    expect(shapeIntegers(read(), plan, "bigint")).toEqual({
      lamports: 1n,
      seq: 2n,
      list: [{ supply: 18446744073709551615n }],
      foreign: 9007199254740993n,
      small: 3,
    });
  });

  test("passes by what is absent, null or of another form", () => {
    expect(shapeIntegers(null, plan, "amounts")).toBeNull();
    expect(shapeIntegers({ lamports: null, data: ["x", "base64"] }, plan, "bigint")).toEqual({
      lamports: null,
      data: ["x", "base64"],
    });
    expect(shapeIntegers("text", plan, "amounts")).toBe("text");
    expect(shapeIntegers({ lamports: 1.5 }, plan, "amounts")).toEqual({ lamports: 1.5 });
  });

  test("does not follow inherited names, and keeps a member called __proto__", () => {
    const shaped = shapeIntegers(
      parseExact('{"__proto__":9007199254740993,"constructor":1}'),
      plan,
      "amounts",
    );
    expect(JSON.stringify(shaped)).toBe('{"__proto__":9007199254740992,"constructor":1}');
  });
});
