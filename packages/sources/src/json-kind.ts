import { InexactNumber } from "@lamplight/core";

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber);

/** A JSON value as an error message names it. */
export const kindOf = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value instanceof InexactNumber) return value.text.slice(0, 32);
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 32)) : String(value);
};
