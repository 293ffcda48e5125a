import { InexactNumber } from "@lamplight/core";
import { exactJson } from "@lamplight/sources/endpoint";

/** Values of up to so many characters are written on one line. */
const LINE_LENGTH_MAX = 100;
const indentText = "  ";

/** JSON of what `parseExact` of core has read, formatted. Every number keeps its digits. Values that do not fit on a line get one line per member. */
export const prettyJson = (value: unknown, indent = "", lead = 0): string => {
  const line = oneLine(value);
  const isShort = indent.length + lead + line.length <= LINE_LENGTH_MAX;
  if (isShort || typeof value !== "object" || value === null || value instanceof InexactNumber) return line;
  const inner = indent + indentText;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + prettyJson(item, inner)).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const start = `${JSON.stringify(name)}: `;
    return inner + start + prettyJson(member, inner, start.length);
  });
  return `{\n${members.join(",\n")}\n${indent}}`;
};

/** JSON on one line, with spaces between members. */
const oneLine = (value: unknown): string => {
  if (typeof value !== "object" || value === null || value instanceof InexactNumber) return exactJson(value);
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(oneLine).join(", ")}]`;
  const members = Object.entries(value);
  if (members.length === 0) return "{}";
  return `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`).join(", ")} }`;
};
