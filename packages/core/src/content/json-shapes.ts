import { JsonFloat, JsonRaw, type JsonValue } from "../json/json-text.ts";

export type JsonObject = Readonly<Record<string, JsonValue | undefined>>;

/** Numbers kept as text are objects in memory and none in JSON. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof JsonRaw) &&
  !(value instanceof JsonFloat);

/** Text that says something; null for every other value. */
export const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;
