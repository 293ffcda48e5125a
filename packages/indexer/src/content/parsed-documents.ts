import { type JsonValue, parseForeignJson } from "@lamplight/core";

/** Characters of documents whose values are kept. A value takes some ten times as much memory. */
const KEPT_CHARS_MAX = 8 << 20;

interface Parsed {
  readonly text: string;
  /** Undefined = not JSON, or over the bounds of foreign JSON. */
  readonly value: JsonValue | undefined;
}

/**
 * Off-chain documents that were parsed last, by URI. Thousands of assets may name one document of megabytes, and each of
 * their updates shows it: it is parsed once, as long as its text stays the same. The least recently used gives way.
 */
export class ParsedDocuments {
  readonly #charsMax: number;
  readonly #parsed = new Map<string, Parsed>();
  #chars = 0;

  constructor(charsMax = KEPT_CHARS_MAX) {
    this.#charsMax = charsMax;
  }

  /** The value of a document; the same object for the same text. */
  parse(uri: string, text: string): JsonValue | undefined {
    const known = this.#parsed.get(uri);
    if (known !== undefined) {
      this.#parsed.delete(uri);
      this.#chars -= uri.length + known.text.length;
    }
    const parsed = known?.text === text ? known : { text, value: parseForeignJson(text) };
    this.#parsed.set(uri, parsed);
    this.#chars += uri.length + text.length;
    this.#makeRoom();
    return parsed.value;
  }

  #makeRoom(): void {
    for (const [uri, { text }] of this.#parsed) {
      if (this.#chars <= this.#charsMax) return;
      this.#parsed.delete(uri);
      this.#chars -= uri.length + text.length;
    }
  }
}

/** Of this process, whatever the store: a text has one value everywhere. */
export const parsedDocuments = new ParsedDocuments();
