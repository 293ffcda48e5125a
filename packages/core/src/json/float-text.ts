/**
 * A float as Agave writes it inside JSON: shortest digits that read back as the same value, always with a point or
 * an exponent: `1.0`, `0.42`, `1e-6`, `1e+16`; NaN and infinities are `null`.
 *
 * JavaScript finds the same digits but places the point elsewhere (`1`, `0.000001`, `10000000000000000`).
 */
export const floatText = (value: number): string => {
  if (!Number.isFinite(value)) return "null";
  // Nearly every value: the engine places the point alike.
  const magnitude = Math.abs(value);
  if (magnitude >= PLAIN_MIN && magnitude < PLAIN_MAX)
    return Number.isInteger(value) ? `${value}.0` : `${value}`;
  const { sign, digits, exponent } = digitsOf(value);
  if (exponent < PLAIN_EXPONENT_MIN || exponent >= PLAIN_EXPONENT_MAX) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? "" : "+"}${exponent}`;
  }
  return sign + placePoint(digits, exponent, ".0");
};

/**
 * A float as Agave writes it inside a string, by Rust's `Display`: never an exponent and no `.0`:
 * `1`, `0.0000001`, `1000000000000000000000`, `-0`, `inf`, `-inf`, `NaN`.
 *
 * The digits are those of `floatText` but for ties: a value half-way between two shortest candidates takes the one
 * away from zero here, and the even one there: 1.22165679931640625 ends in `063` here and in `062` there.
 */
export const floatDisplayText = (value: number): string => {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const { sign, digits, exponent } = digitsOf(value);
  return sign + placePoint(roundTieUp(Math.abs(value), digits, exponent), exponent, "");
};

/**
 * The digits, with the last one raised if the exact value is half-way between them and the next. That digit is even,
 * since JavaScript rounds ties to even, so raising it never carries.
 */
const roundTieUp = (magnitude: number, digits: string, exponent: number): string => {
  // The exact decimal text of odd / 2^n has n places, so this holds for the values with exactly one digit more.
  const places = digits.length - exponent;
  if ((magnitude * 2 ** places) % 2 !== 1) return digits;
  const exact = magnitude.toExponential(digits.length).replace(".", "");
  return exact.startsWith(digits) ? digits.slice(0, -1) + String(Number(digits.at(-1)) + 1) : digits;
};

/** Powers of ten of the first digit that are written without an exponent: from 1e-5 up to, not with, 1e16. */
const PLAIN_EXPONENT_MIN = -5;
const PLAIN_EXPONENT_MAX = 16;
const PLAIN_MIN = 1e-5;
const PLAIN_MAX = 1e16;

/** Shortest digits of a finite value, the first one standing at 10^exponent. */
const digitsOf = (value: number): { sign: string; digits: string; exponent: number } => {
  const [mantissa = "", exponent = ""] = Math.abs(value).toExponential().split("e");
  const negative = value < 0 || Object.is(value, -0);
  return { sign: negative ? "-" : "", digits: mantissa.replace(".", ""), exponent: Number(exponent) };
};

const placePoint = (digits: string, exponent: number, whole: string): string => {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const integerDigits = exponent + 1;
  if (digits.length <= integerDigits) return digits.padEnd(integerDigits, "0") + whole;
  return `${digits.slice(0, integerDigits)}.${digits.slice(integerDigits)}`;
};
