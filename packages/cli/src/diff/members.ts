import { InexactNumber } from "@lamplight/core";

export const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber);
