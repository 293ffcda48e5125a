// Text of others on our terminals and in our logs.

/** Control characters (C0, DEL, C1), line separators, marks that reorder or hide text, and halves of characters. */
const unprintable = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/**
 * Text that does nothing to a terminal and forges no line of a log: what is not printable is spelled as `\u{1b}`. The
 * log, errors and all that commands print pass through it.
 */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** The same for text of several lines. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** The same for JSON text of one line or more, whose strings stay what they are. */
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
