import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { floatDisplayText, floatText } from "./float-text.ts";
import { JsonFloat, JsonRaw } from "./json-text.ts";
import { InexactNumber, parseExact } from "./parse-exact.ts";
import { writeJson } from "./write-json.ts";

interface FloatCase {
  readonly ieee754BitsHex: string;
  readonly jsonText: string;
  readonly displayText: string;
}

const shared = process.env.LAMPLIGHT_SHARED ?? resolve(import.meta.dirname, "../../../../../shared");
const vectors = resolve(shared, "vectors/number-format-vectors.json");
if (!existsSync(vectors)) console.warn(`skipped: ${vectors} is missing`);

const fromBits = (hex: string): number => Buffer.from(hex, "hex").readDoubleBE();

describe.skipIf(!existsSync(vectors))("float vectors", () => {
  const cases = existsSync(vectors) ? (JSON.parse(readFileSync(vectors, "utf8")).floats as FloatCase[]) : [];
  test.each(cases)("$ieee754BitsHex is $jsonText", ({ ieee754BitsHex, jsonText, displayText }) => {
    expect(floatText(fromBits(ieee754BitsHex))).toBe(jsonText);
    expect(floatDisplayText(fromBits(ieee754BitsHex))).toBe(displayText);
  });
});

describe("floatText", () => {
  test("reads back as the same value and is never taken for an integer", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = floatText(value);
        expect(Object.is(JSON.parse(text), value)).toBe(true);
        expect(text).toMatch(/[.e]/);
        expect(Object.is(Number(floatDisplayText(value)), value)).toBe(true);
        expect(floatDisplayText(value)).not.toContain("e");
      }),
    );
  });

  test.each([
    [1e-5, "0.00001"],
    [9.999e-6, "9.999e-6"],
    [1e16, "1e+16"],
    [-1e16, "-1e+16"],
    [-0, "-0.0"],
    [Number.NaN, "null"],
    [Number.NEGATIVE_INFINITY, "null"],
  ])("writes %d as %s", (value, text) => {
    expect(floatText(value)).toBe(text);
  });
});

describe("writeJson", () => {
  test("writes members in order, leaves undefined out, keeps every digit", () => {
    const value = {
      b: 18446744073709551615n,
      a: [1, new JsonFloat(1), new JsonRaw('{"x":1e0}'), null, true, "é\n"],
      left: undefined,
      last: {},
      empty: [],
    };
    expect(writeJson(value)).toBe(
      '{"b":18446744073709551615,"a":[1,1.0,{"x":1e0},null,true,"é\\n"],"last":{},"empty":[]}',
    );
  });

  test("escapes only quotes, backslashes and control characters", () => {
    expect(writeJson('"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028é🙂')).toBe(
      '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028é🙂"',
    );
  });

  test("equals JSON.stringify for what both can write", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeJson(value as Parameters<typeof writeJson>[0])).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe("parseExact", () => {
  test.each([
    ["1", 1],
    ["-1", -1],
    ["0", 0],
    ["9007199254740993", 9007199254740993n],
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["1000000000000000000", 10n ** 18n],
    ["9".repeat(40), 10n ** 40n - 1n],
    ["9".repeat(41), new InexactNumber(1e41, "9".repeat(41))],
    ["-9223372036854775809", -9223372036854775809n],
    ["18446744073709551615", 18446744073709551615n],
    ["1.5", 1.5],
    ["1.0", new InexactNumber(1, "1.0")],
    ["-0", new InexactNumber(-0, "-0")],
    ["-0.0", new InexactNumber(-0, "-0.0")],
    ["1e2", new InexactNumber(100, "1e2")],
    ["1.50", new InexactNumber(1.5, "1.50")],
    ["1E400", new InexactNumber(Number.POSITIVE_INFINITY, "1E400")],
    ["1e+21", 1e21],
    ['"1.0"', "1.0"],
    ['"x 1.0, 18446744073709551615 -0"', "x 1.0, 18446744073709551615 -0"],
    ['{"jsonrpc":"2.0","id":-0}', { jsonrpc: "2.0", id: new InexactNumber(-0, "-0") }],
    ["[1.0,\n18446744073709551615]", [new InexactNumber(1, "1.0"), 18446744073709551615n]],
  ])("parses %s", (text, value) => {
    expect(parseExact(text)).toStrictEqual(value);
  });

  test("keeps an own member called __proto__ and lets the last duplicate win", () => {
    const parsed = parseExact('{"__proto__":1.0,"a":1e1,"a":2}') as Record<string, unknown>;
    expect(Object.getOwnPropertyDescriptor(parsed, "__proto__")?.value).toEqual(new InexactNumber(1, "1.0"));
    expect(parsed.a).toBe(2);
  });

  test.each(["", "{", "01", "1.", "[1.0", "\ufeff1.0", "1.0 x", `${"[".repeat(200_000)}1.0`])(
    "refuses text number %# that is no JSON",
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  test("answers or throws SyntaxError for nesting of any depth", () => {
    const depth = 200_000;
    expect(() => parseExact(`${"[".repeat(depth)}1.0${"]".repeat(depth)}`)).toThrow(SyntaxError);
  });

  test("loses no digit of any number in any place", () => {
    const token = fc.oneof(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(floatText),
      fc.constantFrom("-0", "1.0", "1e2", "1E-7", "1.50", "0", "7"),
    );
    const spaces = fc.constantFrom("", " ", "\n", "\t\r ");
    fc.assert(
      fc.property(fc.array(fc.tuple(spaces, token, spaces)), (tokens) => {
        const text = `{"numbers":[${tokens.map((parts) => parts.join("")).join(",")}]}`;
        const { numbers } = parseExact(text) as { numbers: unknown[] };
        const written = numbers.map((value) => (value instanceof InexactNumber ? value.text : String(value)));
        expect(written).toEqual(tokens.map(([, digits]) => digits));
      }),
    );
  });
});
