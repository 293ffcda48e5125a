import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeJson } from "../json/write-json.ts";
import { integerText, roundedText } from "./decimal-text.ts";
import { exactExp } from "./exact-exp.ts";
import { type MintView, nativeMintView } from "./mint-view.ts";
import { shapeTokenAmount } from "./shape-token-amount.ts";

interface AmountCase {
  readonly amount: string;
  readonly decimals: number;
  readonly expectedText: string;
}

const shared = process.env.LAMPLIGHT_SHARED ?? resolve(import.meta.dirname, "../../../../../shared");
const vectors = resolve(shared, "vectors/number-format-vectors.json");
if (!existsSync(vectors)) console.warn(`skipped: ${vectors} is missing`);

const plain = (decimals: number): MintView => ({ decimals, interestBearing: null, scaled: null });
const textOf = (amount: bigint, mint: MintView, now = 0n): string =>
  writeJson(shapeTokenAmount(amount, mint, now));

describe.skipIf(!existsSync(vectors))("amount vectors", () => {
  const cases = existsSync(vectors)
    ? (JSON.parse(readFileSync(vectors, "utf8")).amounts as AmountCase[])
    : [];
  test.each(cases)("$amount with $decimals decimals", ({ amount, decimals, expectedText }) => {
    expect(textOf(BigInt(amount), plain(decimals))).toBe(expectedText);
  });
});

const u64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(0n, 1n, 10n, 100n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 10n ** 19n, 2n ** 64n - 1n),
);
const u8 = fc.integer({ min: 0, max: 255 });

describe("plain amounts", () => {
  test("have a text whose value is the amount exactly, in its shortest form", () => {
    fc.assert(
      fc.property(u64, u8, (amount, decimals) => {
        const text = integerText(amount, decimals);
        const [whole = "", fraction = ""] = text.split(".");
        // Read the text back with integers only: whole.fraction * 10^decimals must be the amount.
        expect(fraction.length).toBeLessThanOrEqual(decimals);
        expect(BigInt(whole + fraction.padEnd(decimals, "0"))).toBe(amount);
        expect(whole).toMatch(/^(0|[1-9]\d*)$/);
        if (text.includes(".")) expect(fraction).toMatch(/[1-9]$/);
      }),
      { numRuns: 2000 },
    );
  });

  test("have a uiAmount within one division of the true value, and none beyond 19 decimals", () => {
    fc.assert(
      fc.property(u64, u8, (amount, decimals) => {
        const { uiAmount } = JSON.parse(textOf(amount, plain(decimals))) as { uiAmount: number | null };
        expect(uiAmount).toBe(decimals > 19 ? null : Number(amount) / Number(`1e${decimals}`));
      }),
    );
  });
});

/** value = numerator / 2^bits exactly, found by doubling until it is whole: independent of how doubles are stored. */
const exactRatio = (value: number): { numerator: bigint; bits: bigint } => {
  let scaled = value;
  let bits = 0n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    bits += 1n;
  }
  return { numerator: BigInt(scaled), bits };
};

const roundedModel = (value: number, decimals: number): string => {
  const { numerator, bits } = exactRatio(Math.abs(value));
  const product = numerator * 10n ** BigInt(decimals);
  const unit = 1n << bits;
  const rest = product % unit;
  const floor = product / unit;
  const up = rest * 2n > unit || (rest * 2n === unit && floor % 2n === 1n);
  return integerText(floor + (up ? 1n : 0n), decimals);
};

describe("roundedText", () => {
  test("equals an integer model for any value and decimals", () => {
    const value = fc.oneof(
      fc.double({ min: 0, max: 1e22, noNaN: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
      fc.integer({ min: 0, max: 2 ** 40 }).map((eighths) => eighths / 8),
    );
    fc.assert(
      fc.property(value, u8, (number, decimals) => {
        expect(roundedText(number, decimals)).toBe(roundedModel(number, decimals));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    [46116860184273.8828125, 6, "46116860184273.882812"],
    [2 ** 64, 0, "18446744073709551616"],
    [0.5, 0, "0"],
    [1.5, 0, "2"],
    [2.5, 0, "2"],
    [100, 2, "100"],
    [0, 6, "0"],
    [-0, 6, "-0"],
    [-1.25, 1, "-1.2"],
    [Number.POSITIVE_INFINITY, 3, "inf"],
    [Number.NEGATIVE_INFINITY, 3, "-inf"],
    [Number.NaN, 0, "NaN"],
    [5e-324, 255, "0"],
  ])("writes %d with %d digits as %s", (value, decimals, text) => {
    expect(roundedText(value, decimals)).toBe(text);
  });
});

describe("exactExp", () => {
  test("is at most one step of a double away from the engine's, and rises with its argument", () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => {
        expect(Math.abs(exactExp(x) / Math.exp(x) - 1)).toBeLessThan(2 ** -51);
        expect(exactExp(x + 1e-9 * Math.abs(x))).toBeGreaterThanOrEqual(exactExp(x));
      }),
    );
  });

  test.each([
    [0, 1],
    [-0, 1],
    [1, 2.718281828459045],
    [-1, 0.36787944117144233],
    [709.782712893384, 1.7976931348622732e308],
    [709.7827128933841, Number.POSITIVE_INFINITY],
    [-745.1332191019411, 5e-324],
    [-745.1332191019412, 0],
    [-744.4400719213812, 5e-324],
    [-744, 1e-323],
    [1e-300, 1],
    // The engine's own is one step off in these.
    [0.0625, 1.0644944589178593],
    [0.28125, 1.3247847587288655],
    [0.953125, 2.593802640698535],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, 0],
  ])("of %d is %d", (x, value) => {
    expect(exactExp(x)).toBe(value);
  });
});

describe("amounts that move with the clock", () => {
  const interestBearing = {
    rateAuthority: null,
    initializationTimestamp: 0n,
    preUpdateAverageRate: 500,
    lastUpdateTimestamp: 31_556_736n,
    currentRate: 500,
  };
  const scaled = { authority: null, multiplier: 2, newMultiplierEffectiveTimestamp: 100n, newMultiplier: 3 };
  const multipliedBy = (newMultiplier: number): MintView => ({
    decimals: 1,
    interestBearing: null,
    scaled: { ...scaled, newMultiplier },
  });

  test("a multiplier takes effect at its second, and interest wins over it", () => {
    const mint = { decimals: 1, interestBearing: null, scaled };
    expect(textOf(10n, mint, 99n)).toBe('{"amount":"10","decimals":1,"uiAmount":2.0,"uiAmountString":"2"}');
    expect(textOf(10n, mint, 100n)).toBe('{"amount":"10","decimals":1,"uiAmount":3.0,"uiAmountString":"3"}');
    const both = textOf(10n, { ...mint, interestBearing }, 100n);
    expect(both).toBe(textOf(10n, { ...mint, scaled: null, interestBearing }, 100n));
  });

  test("a rate is divided by the year, then by 10000: one division would give other last digits", () => {
    const config = { ...interestBearing, lastUpdateTimestamp: 0n, currentRate: 432 };
    const mint = { decimals: 0, interestBearing: config, scaled: null };
    const { uiAmountString } = JSON.parse(textOf(10n ** 15n, mint, 1_951_672_656n)) as {
      uiAmountString: string;
    };
    expect(uiAmountString).toBe("14465513072578628");
  });

  test("a multiplied amount is cut towards zero, and keeps its sign", () => {
    expect(textOf(1n, multipliedBy(-1.5), 100n)).toContain('"uiAmount":-0.1,"uiAmountString":"-0.1"');
    expect(textOf(1n, multipliedBy(-0.5), 100n)).toContain('"uiAmount":-0.0,"uiAmountString":"-0"');
    expect(textOf(1n, multipliedBy(Number.NEGATIVE_INFINITY), 100n)).toContain(
      '"uiAmount":null,"uiAmountString":"-inf"',
    );
    expect(textOf(0n, multipliedBy(Number.POSITIVE_INFINITY), 100n)).toContain(
      '"uiAmount":null,"uiAmountString":"NaN"',
    );
  });

  test("a span of time beyond 64 bits leaves an empty string and no uiAmount", () => {
    const mint = {
      decimals: 2,
      interestBearing: { ...interestBearing, lastUpdateTimestamp: -5n },
      scaled: null,
    };
    expect(textOf(5n, mint, 2n ** 63n - 1n)).toBe(
      '{"amount":"5","decimals":2,"uiAmount":null,"uiAmountString":""}',
    );
  });

  test("never throw, regardless of what the mint says", () => {
    const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const i16 = fc.integer({ min: -32_768, max: 32_767 });
    const interest = fc.record({
      rateAuthority: fc.constant(null),
      initializationTimestamp: i64,
      preUpdateAverageRate: i16,
      lastUpdateTimestamp: i64,
      currentRate: i16,
    });
    const scale = fc.record({
      authority: fc.constant(null),
      multiplier: fc.double(),
      newMultiplierEffectiveTimestamp: i64,
      newMultiplier: fc.double(),
    });
    const mint = fc.record({ decimals: u8, interestBearing: fc.option(interest), scaled: fc.option(scale) });
    fc.assert(
      fc.property(u64, mint, i64, (amount, view, now) => {
        const shaped = JSON.parse(textOf(amount, view, now)) as {
          uiAmount: number | null;
          uiAmountString: string;
        };
        expect(shaped.uiAmountString).toMatch(/^(-?\d+(\.\d*[1-9])?|-?inf|NaN|)$/);
        expect(shaped).toMatchObject({ amount: amount.toString(), decimals: view.decimals });
      }),
    );
  });
});

test("wrapped lamports have nine decimals", () => {
  expect(textOf(1_500_000_000n, nativeMintView)).toBe(
    '{"amount":"1500000000","decimals":9,"uiAmount":1.5,"uiAmountString":"1.5"}',
  );
});

test.each([-1n, 2n ** 64n])("an amount of %d is refused", (amount) => {
  expect(() => shapeTokenAmount(amount, plain(0), 0n)).toThrow("outside u64");
});
