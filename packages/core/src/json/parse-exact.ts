/** A number that is neither safe as a `number` nor sensible as a `bigint`: `1.0`, `1e2`, `-0`, `1.50`, a thousand digits. */
export class InexactNumber {
  /** The nearest double. */
  readonly value: number;
  /** The source, digit for digit. */
  readonly text: string;
  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

/**
 * Parses JSON without losing digits. Integers beyond 2^53 are a `bigint`, also those that a double could hold; another
 * number token that JavaScript writes back the same is a `number`; what is left is an `InexactNumber`.
 *
 * Costs no more than `JSON.parse` while no such token can be in the text.
 *
 * @throws {SyntaxError} like `JSON.parse`; also when the nesting is deeper than the engine can walk
 */
export const parseExact = (text: string): unknown => {
  if (!riskyNumber.test(text)) return JSON.parse(text) as unknown;
  try {
    return JSON.parse(text, keepDigits) as unknown;
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError("JSON is nested too deeply", { cause: error });
    throw error;
  }
};

/**
 * Finds every number token that may not survive as a `number`: such a token is at the beginning or after one of
 * `[ : ,` or whitespace. The same inside a string is a false alarm and only costs time.
 */
const riskyNumber = /(?:^|[[:,\s])(?:-0|-?\d{16}|-?\d+[.eE])/;

/** The digits are bounded (u128 has 39): building a `bigint` takes longer than linear time. */
const plainInteger = /^-?[1-9]\d{0,39}$/;

/** The third argument is newer than the type library's `JSON.parse`. */
const keepDigits = (_name: string, value: unknown, context?: { readonly source?: string }): unknown => {
  if (typeof value !== "number") return value;
  const source = context?.source;
  if (source === undefined) return value;
  if (plainInteger.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source);
  return String(value) === source ? value : new InexactNumber(value, source);
};
