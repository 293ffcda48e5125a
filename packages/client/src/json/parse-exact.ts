/**
 * Parses JSON without rounding whole numbers: one that a double cannot hold becomes a bigint, the others stay numbers.
 *
 * Engines that show a reviver the source of a number (Node 22, browsers since 2023) do the work themselves; in older
 * ones the text is rewritten before it is parsed. The result is the same. Text without a long run of digits costs no
 * more than `JSON.parse`.
 *
 * ```ts
 * parseExact('{"supply":18446744073709551615,"decimals":6}'); // { supply: 18446744073709551615n, decimals: 6 }
 * ```
 *
 * @throws {SyntaxError} like `JSON.parse`
 */
export const parseExact = (text: string): unknown => {
  if (!longDigits.test(text)) return JSON.parse(text) as unknown;
  return hasSource ? (JSON.parse(text, keepDigits) as unknown) : parseRewritten(text);
};

/** The shortest whole number that may be past 2^53. */
const longDigits = /\d{16}/;

const wholeNumber = /^-?\d+$/;

/** The third argument is newer than the type library's `JSON.parse`. */
interface ReviverContext {
  readonly source?: string;
}

const keepDigits = (_name: string, value: unknown, context?: ReviverContext): unknown => {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && wholeNumber.test(source) ? BigInt(source) : value;
};

/** Whether the engine reports sources. */
const hasSource = typeof JSON.parse("9007199254740993", keepDigits) === "bigint";

/** For engines without sources: long whole numbers are made strings that nothing else in the text begins like. */
export const parseRewritten = (text: string): unknown => {
  const mark = freeMark(text);
  return JSON.parse(markLongNumbers(text, mark), (_name, value: unknown) => {
    if (typeof value !== "string" || !value.startsWith(mark)) return value;
    const digits = value.slice(mark.length);
    return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
  });
};

/** A beginning that no string of the text has, not even spelled with escapes: letters that JSON need not escape could be. */
const freeMark = (text: string): string => {
  const seen = text.includes("\\u") ? text + JSON.stringify(JSON.parse(text)) : text;
  let mark = "#";
  while (seen.includes(`"${mark}`)) mark += "#";
  return mark;
};

/** Outside of strings; parts of `true`, `false` and `null` are no numbers and stay. */
const numberToken = /[\d.eE+-]+/g;

const longWholeNumber = /^-?\d{16,}$/;

/** Strings are copied unchanged; only the text between them is parsed. */
const markLongNumbers = (text: string, mark: string): string => {
  let inString = false;
  const pieces = text.split('"').map((piece) => {
    if (inString) {
      inString = endsEscaped.test(piece);
      return piece;
    }
    inString = true;
    return piece.replace(numberToken, (token) => (longWholeNumber.test(token) ? `"${mark}${token}"` : token));
  });
  return pieces.join('"');
};

/** An odd number of backslashes: the quote behind them belongs to the string. */
const endsEscaped = /(?:^|[^\\])(?:\\\\)*\\$/;
