import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
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

// Pairs of value and text were printed by Rust's Display.
describe("floatDisplayText", () => {
  test.each([
    // Half-way between two shortest candidates: away from zero.
    [596043750178816.25, "596043750178816.3"],
    [1.22165679931640625, "1.2216567993164063"],
    [-1.22165679931640625, "-1.2216567993164063"],
    [0.50000762939453125, "0.5000076293945313"],
    [2 ** -24, "0.00000005960464477539063"],
    [3 * 2 ** -25, "0.00000008940696716308594"],
    [2 ** -25, "0.000000029802322387695313"],
    // The even candidate is the upper one, in JavaScript too.
    [1336886377903680.75, "1336886377903680.8"],
    // These values are not half-way.
    [2.5, "2.5"],
    [0.15, "0.15"],
    [2251799813685249.5, "2251799813685249.5"],
    [2 ** 53 + 2, "9007199254740994"],
    [2 ** 60, "1152921504606847000"],
    [5e-324, `0.${"0".repeat(323)}5`],
    [-0, "-0"],
    [Number.POSITIVE_INFINITY, "inf"],
    [Number.NEGATIVE_INFINITY, "-inf"],
    [Number.NaN, "NaN"],
  ])("writes %d as %s", (value, text) => {
    expect(floatDisplayText(value)).toBe(text);
  });

  test("differs from JavaScript's text only in ties, where it takes the upper candidate", () => {
    const value = fc
      .tuple(fc.maxSafeNat(), fc.integer({ min: 1, max: 19 }))
      .map(([numerator, bits]) => numerator / 2 ** bits);
    fc.assert(
      fc.property(value, (number) => {
        const text = floatDisplayText(number);
        const [upper, lower] = [inUnits(text), inUnits(String(number))];
        expect(Number(text)).toBe(number);
        if (text !== String(number)) expect(upper + lower).toBe(2n * inUnits(number.toFixed(UNIT_PLACES)));
        expect(upper).toBeGreaterThanOrEqual(lower);
      }),
      { numRuns: 5000 },
    );
  });
});

/** Enough decimal places to hold every value of the test exactly. */
const UNIT_PLACES = 20;

const inUnits = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(UNIT_PLACES, "0"));
};

describe("writeJson", () => {
  test("keeps no long member names of foreign documents", () => {
    setFlagsFromString("--expose-gc");
    const collectOnce = runInNewContext("gc") as () => void;
    // V8 keeps the shapes of objects, and so the names of their members, for some collections.
    const collect = (): void => {
      for (let round = 0; round < 5; round++) collectOnce();
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 1500; index++) writeJson({ [`${index}${"n".repeat(64_000)}`]: 1 });
    collect();
    // Kept, they would be 192 MB: each name and its text.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(48 * 2 ** 20);
  });

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
