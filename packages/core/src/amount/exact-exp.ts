// The engine's own exp differs from the validator's platform in the last bit for about one realistic exponent in
// eleven. The platform's is the correctly rounded value nearly always, so that is what is computed here.

/** Fraction bits of the fixed-point arithmetic: far more than the 53 that are kept. */
const PRECISION = 256n;
const ONE = 1n << PRECISION;

/** The result beyond these exponents is infinite or rounds to zero, regardless of the digits. */
const OVERFLOW_ABOVE = 709.79;
const UNDERFLOW_BELOW = -745.14;

/** e^x as the double nearest to the true value. */
export const exactExp = (x: number): number => {
  if (Number.isNaN(x)) return x;
  if (x === 0) return 1;
  if (x > OVERFLOW_ABOVE) return Number.POSITIVE_INFINITY;
  if (x < UNDERFLOW_BELOW) return 0;
  const fixed = toFixedPoint(x);
  // e^x = e^rest * 2^doublings with |rest| at most half of ln 2: the series then ends soon.
  const doublings = Number(divideToNearest(fixed, ln2));
  const rest = fixed - BigInt(doublings) * ln2;
  return toDouble(series(rest), doublings);
};

const divideToNearest = (dividend: bigint, divisor: bigint): bigint => {
  const doubled = 2n * dividend + divisor;
  const quotient = doubled / (2n * divisor);
  return doubled < 0n && quotient * 2n * divisor !== doubled ? quotient - 1n : quotient;
};

/** ln 2 = 2 * (1/3 + 1/(3 * 3^3) + 1/(5 * 3^5) + ...). */
const ln2 = ((): bigint => {
  let sum = 0n;
  let power = ONE / 3n;
  for (let odd = 1n; power > 0n; odd += 2n) {
    sum += power / odd;
    power /= 9n;
  }
  return 2n * sum;
})();

const series = (rest: bigint): bigint => {
  let sum = ONE;
  let term = ONE;
  for (let step = 1n; term !== 0n && term !== -1n; step += 1n) {
    term = ((term * rest) >> PRECISION) / step;
    sum += term;
  }
  return sum;
};

const parts = new DataView(new ArrayBuffer(8));
const MANTISSA_BITS = 52n;

/** Sign, mantissa and power of two of a finite double: value = mantissa * 2^exponent. */
export const splitDouble = (value: number): { mantissa: bigint; exponent: number } => {
  parts.setFloat64(0, value);
  const bits = parts.getBigUint64(0);
  const biased = Number((bits >> MANTISSA_BITS) & 0x7ffn);
  const fraction = bits & ((1n << MANTISSA_BITS) - 1n);
  const magnitude = biased === 0 ? fraction : fraction | (1n << MANTISSA_BITS);
  return { mantissa: bits >> 63n === 1n ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
};

const toFixedPoint = (x: number): bigint => {
  const { mantissa, exponent } = splitDouble(x);
  const shift = PRECISION + BigInt(exponent);
  return shift >= 0n ? mantissa << shift : mantissa >> -shift;
};

/** The double nearest to fixed * 2^doublings, where `fixed` is between 0.7 and 1.5. */
const toDouble = (fixed: bigint, doublings: number): number => {
  const scale = doublings - Number(PRECISION);
  const bits = fixed.toString(2).length;
  // Subnormal results keep fewer bits, so they are rounded once, at the place they end.
  const lowestPlace = Math.max(bits + scale - 53, -1074);
  const dropped = BigInt(lowestPlace - scale);
  const mantissa = roundHalfEven(fixed, dropped);
  return scaleByPowerOfTwo(Number(mantissa), lowestPlace);
};

/** value / 2^bits to the nearest integer, ties to even; `value` is not negative. */
const roundHalfEven = (value: bigint, bits: bigint): bigint => {
  const quotient = value >> bits;
  const rest = value - (quotient << bits);
  const half = 1n << (bits - 1n);
  return rest > half || (rest === half && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
};

/** Exact, because every step is a power of two and the last one lands on a representable value. */
const scaleByPowerOfTwo = (mantissa: number, exponent: number): number => {
  let value = mantissa;
  let left = exponent;
  while (left > 1000) {
    value *= 2 ** 1000;
    left -= 1000;
  }
  while (left < -1000) {
    value *= 2 ** -1000;
    left += 1000;
  }
  return value * 2 ** left;
};
