const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

export interface TextFindings {
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
  /**
   * Requests that give a member twice: position in the batch (0 for a single one) → the member's name. Parsers keep
   * the last of two in silence, and two readers of one text might then disagree on which method was called.
   */
  readonly repeated: ReadonlyMap<number, string> | null;
  /** Some number may not survive as a JavaScript number: the text is to be parsed by `parseExact`. */
  readonly hasInexactNumber: boolean;
}

/** Finds what parsing does not show of a request text, which is known to be valid JSON. One pass over it. */
export const inspectText = (text: string, isBatch: boolean): TextFindings => {
  const memberDepth = isBatch ? 2 : 1;
  let repeated: Map<number, string> | null = null;
  let names: string[] = [];
  let depth = 0;
  let depthMax = 0;
  let position = 0;
  let hasInexactNumber = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case QUOTE: {
        const end = endOfString(text, at + 1);
        if (depth === memberDepth && isName(text, end + 1)) {
          const name = unescape(text.slice(at + 1, end));
          if (names.includes(name)) (repeated ??= new Map()).set(position, name);
          else if (names.length < DISTINCT_NAMES_MAX) names.push(name);
        }
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (++depth === memberDepth) names = [];
        if (depth > depthMax) depthMax = depth;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth--;
        break;
      case COMMA:
        if (isBatch && depth === 1) position++;
        break;
      default:
        if (code === MINUS || isDigit(code)) {
          const end = endOfNumber(text, at + 1);
          hasInexactNumber ||= isInexact(text, at, end);
          at = end - 1;
        }
    }
  }
  return { depth: depthMax, repeated, hasInexactNumber };
};

/** Digits that a double always holds. */
const EXACT_DIGITS_MAX = 15;

/** The end of a number in valid JSON: the token ends where something comes that is in no number. */
const endOfNumber = (text: string, from: number): number => {
  let end = from;
  while (end < text.length && isInNumber(text.charCodeAt(end))) end++;
  return end;
};

const isInNumber = (code: number): boolean =>
  code > SPACE && code !== COMMA && code !== CLOSE_OBJECT && code !== CLOSE_ARRAY;

/** Anything but a short integer; a minus may be before a zero. */
const isInexact = (text: string, from: number, end: number): boolean => {
  if (end - from > EXACT_DIGITS_MAX || text.charCodeAt(from) === MINUS) return true;
  for (let at = from; at < end; at++) if (!isDigit(text.charCodeAt(at))) return true;
  return false;
};

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** A request with more names than this has unknown ones and is refused for them. */
const DISTINCT_NAMES_MAX = 8;

const endOfString = (text: string, from: number): number => {
  let end = text.indexOf('"', from);
  while (isEscaped(text, end, from)) end = text.indexOf('"', end + 1);
  return end;
};

/** An odd run of backslashes before a quote makes it part of the string. */
const isEscaped = (text: string, quoteAt: number, from: number): boolean => {
  let backslashes = 0;
  while (quoteAt - 1 - backslashes >= from && text.charCodeAt(quoteAt - 1 - backslashes) === BACKSLASH)
    backslashes++;
  return backslashes % 2 === 1;
};

const isName = (text: string, after: number): boolean => {
  let at = after;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
};

const unescape = (raw: string): string => (raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw);
