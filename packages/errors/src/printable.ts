// Foreign text on our terminals and in our logs.

/** Control characters (C0, DEL, C1), line separators, marks that reorder or hide text, and lone surrogates. */
const unprintable = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/**
 * Escapes what is not printable, such as `\u{1b}`, so that the text cannot control a terminal or forge a line of a
 * log. Logs, errors and everything that commands print pass through it.
 */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** `printable` for text of several lines: line breaks stay. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** `printable` for JSON text of one line or more. Its strings keep their values, because the escapes are JSON's. */
export const printableJson = (json: string): string =>
  json
    .split("\n")
    .map((line) =>
      line.replaceAll(
        unprintable,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    )
    .join("\n");
