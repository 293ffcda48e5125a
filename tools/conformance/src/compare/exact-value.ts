import { InexactNumber, writeJson, type JsonValue } from "@lamplight/core";

/** A JSON number in any of the forms the exact parser gives: as integer when it is one, else as double. */
export type ExactNumber = bigint | number;

/** Null for what is no number. The result keeps every digit of an integer. */
export const exactNumber = (value: unknown): ExactNumber | null => {
  if (typeof value === "bigint") return value;
  const double = value instanceof InexactNumber ? value.value : value;
  if (typeof double !== "number") return null;
  // A plain number came through the parser with its text unchanged: the text is exact where the double may not be.
  const text = String(double);
  return /^-?\d+$/.test(text) ? BigInt(text) : double;
};

export const sameNumber = (a: ExactNumber, b: ExactNumber): boolean => a === b;

/** Short JSON text of a value, for reports. */
export const shown = (value: unknown): string => {
  if (value === undefined) return "nothing";
  const text = value instanceof InexactNumber ? value.text : writeJson(plainOf(value));
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
};

const plainOf = (value: unknown): JsonValue => {
  if (value instanceof InexactNumber) return value.value;
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainOf(member)]));
  }
  return value as JsonValue;
};
