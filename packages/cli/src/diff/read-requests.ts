import { readFile } from "node:fs/promises";
import { parseExact } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Call } from "./compare-call.ts";
import { isMembers } from "./members.ts";

const REQUESTS_MAX = 100_000;

/**
 * Calls of a file: a JSON array, or one JSON object a line, with `method` and `params` each. Whole JSON-RPC requests
 * are taken as they are; empty lines and lines that begin with `//` or `#` are skipped.
 *
 * @throws LamplightError `SOURCE__NO_SUCH_PATH`, `SOURCE__BAD_DUMP`
 */
export const readRequests = async (file: string): Promise<readonly Call[]> => {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new LamplightError("SOURCE__NO_SUCH_PATH", { path: file });
    throw cause;
  });
  const rows = text.trimStart().startsWith("[") ? readArray(file, text) : readLines(file, text);
  if (rows.length > REQUESTS_MAX)
    throw new LamplightError("SOURCE__BAD_DUMP", {
      file,
      reason: `holds more than ${REQUESTS_MAX} requests`,
    });
  return rows.map(({ value, line }) => {
    const isCall = isMembers(value) && typeof value["method"] === "string";
    if (!isCall) throw bad(file, 'expected an object with "method" and "params"', line);
    return { method: value["method"] as string, params: value["params"] };
  });
};

interface Row {
  readonly value: unknown;
  readonly line?: number;
}

const readArray = (file: string, text: string): readonly Row[] =>
  (parse(file, text) as readonly unknown[]).map((value) => ({ value }));

const readLines = (file: string, text: string): readonly Row[] =>
  text
    .split("\n")
    .map((row, index) => ({ row: row.trim(), line: index + 1 }))
    .filter(({ row }) => row !== "" && !row.startsWith("//") && !row.startsWith("#"))
    .map(({ row, line }) => ({ value: parse(file, row, line), line }));

const parse = (file: string, text: string, line?: number): unknown => {
  try {
    return parseExact(text);
  } catch (cause) {
    throw bad(file, (cause as Error).message, line);
  }
};

const bad = (file: string, reason: string, line?: number): LamplightError =>
  new LamplightError("SOURCE__BAD_DUMP", { file, reason, ...(line === undefined ? {} : { line }) });
