import { expect, test } from "vitest";
import { LamplightError } from "./lamplight-error.ts";
import { printable, printableJson } from "./printable.ts";

test.each([
  ["plain text, ä, 名前, 🎉, \\u{1b}", "plain text, ä, 名前, 🎉, \\u{1b}"],
  ["\u001b[2J\u001b]0;title\u0007", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"],
  ["one\nforged line\r", "one\\u{a}forged line\\u{d}"],
  ["\u009b31m\u007f\0", "\\u{9b}31m\\u{7f}\\u{0}"],
  ["a\u202eb\u2066c\u200fd\u061c", "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}"],
  ["a\u2028b\u2029c\ufeff", "a\\u{2028}b\\u{2029}c\\u{feff}"],
  ["half \ud83c", "half \\u{d83c}"],
])("%j is printed as %j", (text, printed) => {
  expect(printable(text)).toBe(printed);
});

test("an error that quotes an upstream is printable; its context keeps the text", () => {
  const reason = "no\u001b[31m\nforged";
  const error = new LamplightError("SOURCE__LOST", { url: "https://x", reason });
  expect(error.message).toContain("no\\u{1b}[31m\\u{a}forged");
  expect(error.context.reason).toBe(reason);
});

test("JSON that quotes an upstream is printable, and means the same", () => {
  const value = { text: "\u001b[2K\u009b31m\u202e", "key\u0085": ["ä\n\u2028"] };
  const json = printableJson(JSON.stringify(value, null, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\u2028-\u202e]/u);
  expect(JSON.parse(json)).toEqual(value);
});
