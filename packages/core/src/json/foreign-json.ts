// JSON that strangers wrote: on chain in an asset's data, or behind its URI.

import { JsonRaw, type JsonValue } from "./json-text.ts";
import { InexactNumber, parseExact } from "./parse-exact.ts";

export interface JsonBounds {
  /** Levels of lists and objects. */
  readonly depthMax: number;
  /** Values of any kind. */
  readonly nodesMax: number;
}

/** Deep enough for every honest document, shallow enough to walk on any stack. */
export const foreignJsonBounds: JsonBounds = { depthMax: 64, nodesMax: 100_000 };

/**
 * Parses JSON of unknown origin into a value that is written back with every digit it came with. The last of equal
 * keys wins. `undefined` when the text is not JSON or is over its bounds, which are checked before anything is built.
 */
export const parseForeignJson = (
  text: string,
  bounds: JsonBounds = foreignJsonBounds,
): JsonValue | undefined => {
  if (!isWithin(text, bounds)) return undefined;
  try {
    return keepingText(parseExact(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Counts without parsing. Text that is not JSON may be counted wrongly: the parser refuses it afterwards. */
const isWithin = (text: string, { depthMax, nodesMax }: JsonBounds): boolean => {
  let depth = 0;
  let nodes = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) nodes += 1;
    else if (opening.has(code)) {
      depth += 1;
      nodes += 1;
    } else if (closing.has(code)) depth -= 1;
    if (depth > depthMax || nodes > nodesMax) return false;
  }
  return true;
};

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
};

const keepingText = (value: unknown): JsonValue => {
  if (value instanceof InexactNumber) return new JsonRaw(value.text);
  if (Array.isArray(value)) return value.map(keepingText);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, keepingText(member)]));
};
