import { JsonRaw, type JsonValue } from "./json-text.ts";

export type JsonObject = { [member: string]: JsonValue | undefined };

/** Parses finished JSON so that it can be changed and written again: every number keeps its own text. */
export const parseVerbatim = (text: string): JsonObject =>
  JSON.parse(text, (_name, value: unknown, context?: { source: string }) =>
    typeof value === "number" && context !== undefined ? new JsonRaw(context.source) : value,
  ) as JsonObject;
