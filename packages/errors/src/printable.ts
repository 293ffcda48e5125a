// Text of others on our terminals and in our logs.

/** Control characters (C0, DEL, C1), line separators, marks that reorder or hide text, and halves of characters. */
const unprintable = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/**
 * Text that does nothing to a terminal and forges no line of a log: what is not printable is spelled as `\u{1b}`. Every
 * text of an upstream, a file or a caller passes through it before it is printed or logged.
 */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
