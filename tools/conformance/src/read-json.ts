import { readFile } from "node:fs/promises";
import { parseExact } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

export type Members = Readonly<Record<string, unknown>>;

/** A JSON file with every digit kept. */
export const readJson = async (path: string): Promise<unknown> => {
  try {
    return parseExact(await readFile(path, "utf8"));
  } catch (cause) {
    throw new LamplightError(
      "SOURCE__BAD_DUMP",
      { file: path, reason: cause instanceof Error ? cause.message : String(cause) },
      { cause },
    );
  }
};

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of an object, none for anything else. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
