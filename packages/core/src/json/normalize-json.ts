import { floatText } from "./float-text.ts";

/** Deepest nesting that the reference parser reads. */
const DEPTH_MAX = 127;
const I64_MIN = -(2n ** 63n);
const U64_MAX = 2n ** 64n - 1n;
/** More characters than any integer of 64 bits has: longer ones are floats without being counted out. */
const INTEGER_LENGTH_MAX = 20;

/**
 * Foreign JSON text as the reference writes it back: members sorted by their bytes, the last of duplicates kept,
 * integers of 64 bits exact, every other number as a float (`1e3` becomes `1000.0`).
 *
 * Null for what the reference refuses: no JSON, nested more than 127 deep, a float that overflows, half a surrogate
 * pair. Refused even where a later duplicate would have hidden it.
 *
 * Read by hand, not by the engine: that one drops what duplicates hide, and takes a key of one escaped character for a
 * backslash once it has met an object with that key (seen in V8 13.6).
 */
export const normalizeJson = (text: string): string | null => {
  try {
    return new JsonRewriter(text).rewrite();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const numberToken = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const wordToken = /true|false|null/y;

/** Goes through the text once, from left to right. */
class JsonRewriter {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rewrite(): string {
    const text = this.#value(DEPTH_MAX);
    if (this.#next() !== undefined) throw new SyntaxError("more than one value");
    return text;
  }

  #value(depthLeft: number): string {
    switch (this.#next()) {
      case "{":
        return this.#object(depthLeft);
      case "[":
        return this.#list(depthLeft);
      case '"':
        return stringText(this.#string());
      case "t":
      case "f":
      case "n":
        return this.#token(wordToken)[0];
      default:
        return numberText(this.#token(numberToken));
    }
  }

  #object(depthLeft: number): string {
    const members = new Map<string, string>();
    this.#items("}", depthLeft, () => {
      if (this.#next() !== '"') throw new SyntaxError("a member without a name");
      const name = this.#string();
      const nameText = stringText(name);
      this.#take(":");
      members.set(name, `${nameText}:${this.#value(depthLeft - 1)}`);
    });
    const sorted = [...members]
      .map(([name, member]) => ({ bytes: Buffer.from(name), member }))
      .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
    return `{${sorted.map(({ member }) => member).join(",")}}`;
  }

  #list(depthLeft: number): string {
    const items: string[] = [];
    this.#items("]", depthLeft, () => items.push(this.#value(depthLeft - 1)));
    return `[${items.join(",")}]`;
  }

  /** Everything from the opening bracket, which comes next, to the closing one. */
  #items(closing: string, depthLeft: number, read: () => void): void {
    if (depthLeft === 0) throw new SyntaxError("JSON is nested too deeply");
    this.#at += 1;
    if (this.#next() !== closing) {
      read();
      while (this.#next() === ",") {
        this.#at += 1;
        read();
      }
    }
    this.#take(closing);
  }

  /** The value of the string that comes next; the engine parses single strings exactly. */
  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (let code = this.#text.charCodeAt(this.#at); code !== QUOTE; code = this.#text.charCodeAt(this.#at)) {
      if (Number.isNaN(code)) throw new SyntaxError("a string without an end");
      this.#at += code === BACKSLASH ? 2 : 1;
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #token(token: RegExp): RegExpExecArray {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text);
    if (found === null) throw new SyntaxError("no JSON value");
    this.#at = token.lastIndex;
    return found;
  }

  #take(character: string): void {
    if (this.#next() !== character) throw new SyntaxError(`expected ${character}`);
    this.#at += 1;
  }

  /** The next character that is not white space, not taken yet; `undefined` at the end. */
  #next(): string | undefined {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "end")) this.#at += 1;
    return this.#text[this.#at];
  }
}

const numberText = ([text, fraction, exponent]: RegExpExecArray): string => {
  const isInteger = fraction === undefined && exponent === undefined && text !== "-0";
  if (isInteger && text.length <= INTEGER_LENGTH_MAX) {
    const value = BigInt(text);
    if (value >= I64_MIN && value <= U64_MAX) return text;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw new SyntaxError("number out of range");
  return floatText(value);
};

const stringText = (value: string): string => {
  if (!value.isWellFormed()) throw new SyntaxError("half a surrogate pair");
  return JSON.stringify(value);
};
