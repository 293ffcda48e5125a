import { InexactNumber } from "@lamplight/core";

/** JSON on one line. Every number keeps the digits that `parseExact` of core has read. */
export const exactJson = (value: unknown): string => {
  if (typeof value === "bigint") return String(value);
  if (value instanceof InexactNumber) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(exactJson).join(",")}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`).join(",")}}`;
};
