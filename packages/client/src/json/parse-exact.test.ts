import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExact, parseRewritten } from "./parse-exact.ts";
import { stringifyExact } from "./stringify-exact.ts";

/** Whole numbers as `parseExact` gives them. */
const wholeNumber = fc
  .bigInt({ min: -(2n ** 70n), max: 2n ** 70n })
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    wholeNumber,
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "#0#",
      "#1#12345678901234567890",
      '"',
      "\\",
      '\\"18446744073709551615',
      "1234567890123456",
    ),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
    fc.array(tie("tree")),
    fc.dictionary(
      fc.string().filter((name) => name !== "__proto__"),
      tie("tree"),
      { noNullPrototype: true },
    ),
  ),
}));

describe("parseExact", () => {
  test("keeps every digit of a whole number", () => {
    expect(parseExact('{"a":18446744073709551615,"b":[9007199254740993,-9223372036854775808]}')).toEqual({
      a: 18446744073709551615n,
      b: [9007199254740993n, -9223372036854775808n],
    });
  });

  test("leaves small numbers, fractions and exponents alone", () => {
    const text = '[1, -0.5, 1.0, 12345678901234567.25, 1e20, 9007199254740991, "1234567890123456789"]';
    expect(parseExact(text)).toEqual(JSON.parse(text));
  });

  test("reads back what was written", () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(parseExact(stringifyExact(value))).toEqual(value);
      }),
    );
  });

  test("refuses what is no JSON", () => {
    for (const text of ["", "{", '{"a":1', "[1234567890123456789", '"12345678901234567'])
      expect(() => parseExact(text)).toThrow(SyntaxError);
  });
});

describe("parseRewritten, for engines that do not report sources", () => {
  test("gives what the others give", () => {
    fc.assert(
      fc.property(tree, fc.boolean(), (value, isEscaped) => {
        const text = isEscaped ? escaped(stringifyExact(value)) : stringifyExact(value);
        expect(parseRewritten(text)).toEqual(value);
      }),
    );
  });

  test("refuses what is no JSON", () => {
    for (const text of ["", "{", '{"a":1', "[1234567890123456789", '"12345678901234567'])
      expect(() => parseRewritten(text)).toThrow(SyntaxError);
  });
});

/** The same JSON with every # spelled as an escape, which could hide a mark. */
const escaped = (text: string): string => text.replaceAll("#", String.raw`\u0023`);
