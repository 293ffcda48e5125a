/**
 * Parses JSON without rounding whole numbers: one that a double cannot hold becomes a bigint, the others stay numbers.
 *
 * Engines that show a reviver the source of a number (Node 22, browsers since 2023) do the work themselves; in older
 * ones the text is rewritten before it is parsed. The result is the same. Text without a long run of digits costs no
 * more than `JSON.parse`.
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

/** Whether the engine tells sources. */
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

/** A word that the text does not contain, not even spelled with escapes: letters that JSON need not escape could be. */
const freeMark = (text: string): string => {
  const seen = text.includes("\\u") ? text + JSON.stringify(JSON.parse(text)) : text;
  let count = 0;
  while (seen.includes(`#${count}#`)) count += 1;
  return `#${count}#`;
};

/** A whole number token between strings; fractions and exponents are taken along, so that no part of one matches. */
const numberToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const longWholeNumber = /^-?\d{16,}$/;

/** Strings are copied as they are; only what lies between them is looked at. */
const markLongNumbers = (text: string, mark: string): string => {
  let marked = "";
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('"', at);
    const end = open === -1 ? text.length : open;
    marked += text
      .slice(at, end)
      .replace(numberToken, (token) => (longWholeNumber.test(token) ? `"${mark}${token}"` : token));
    at = open === -1 ? end : afterString(text, open);
    marked += text.slice(end, at);
  }
  return marked;
};

/** Behind the string that begins at `open`. */
const afterString = (text: string, open: number): number => {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close + 1;
};

/** Whether an odd number of backslashes stands before. */
const isEscaped = (text: string, at: number): boolean => {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
};
