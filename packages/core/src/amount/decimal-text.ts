import { splitDouble } from "./exact-exp.ts";

/**
 * Digits of an integer with a point `decimals` places from the right, exact for every u64: `(1050000n, 6)` is `1.05`.
 * Trailing zeros are dropped; with 0 decimals the integer stays as it is.
 *
 * @param amount - 0 or more
 * @param decimals - 0 to 255
 */
export const integerText = (amount: bigint, decimals: number): string =>
  trimZeros(withPoint(amount.toString(), decimals), decimals);

/**
 * The exact binary value of a float with `decimals` digits after the point, ties to even, trailing zeros dropped.
 * Never an exponent: 2^64 is written with all its digits. `inf`, `-inf` and `NaN` as words.
 *
 * `toFixed` rounds ties up and switches to exponents at 1e21, hence the integer ratio.
 */
export const roundedText = (value: number, decimals: number): string => {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const negative = value < 0 || Object.is(value, -0);
  const { mantissa, exponent } = splitDouble(Math.abs(value));
  const numerator = mantissa * 10n ** BigInt(decimals);
  const digits = exponent >= 0 ? numerator << BigInt(exponent) : halfEven(numerator, BigInt(-exponent));
  return (negative ? "-" : "") + trimZeros(withPoint(digits.toString(), decimals), decimals);
};

const halfEven = (numerator: bigint, bits: bigint): bigint => {
  const quotient = numerator >> bits;
  const twiceRest = (numerator - (quotient << bits)) << 1n;
  const whole = 1n << bits;
  return twiceRest > whole || (twiceRest === whole && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
};

const withPoint = (digits: string, decimals: number): string => {
  if (decimals === 0) return digits;
  const padded = digits.padStart(decimals + 1, "0");
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
};

const trimZeros = (text: string, decimals: number): string => {
  if (decimals === 0) return text;
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  if (text[end - 1] === ".") end -= 1;
  return text.slice(0, end);
};
