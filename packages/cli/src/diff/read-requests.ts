import { readFile } from "node:fs/promises";
import { parseExact } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Call } from "./compare-call.ts";
import { isMembers } from "./members.ts";

const REQUESTS_MAX = 100_000;

/**
 * Calls of a file: a JSON array, or one JSON value a line, with `method` and `params` each. Whole JSON-RPC requests
 * and batches are taken as they are. So are the lines of an access log in JSON whose member `request_body` or `body` is
 * the text of one. Empty lines and lines that begin with `//` or `#` are skipped.
 *
 * @throws LamplightError `SOURCE__NO_SUCH_PATH`, `SOURCE__BAD_DUMP`
 */
export const readRequests = async (file: string): Promise<readonly Call[]> => {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new LamplightError("SOURCE__NO_SUCH_PATH", { path: file });
    throw cause;
  });
  const rows = isOneArray(text) ? readArray(file, text) : readLines(file, text);
  const calls = rows.flatMap((row) => callsIn(file, row));
  if (calls.length > REQUESTS_MAX)
    throw new LamplightError("SOURCE__BAD_DUMP", {
      file,
      reason: `holds more than ${REQUESTS_MAX} requests`,
    });
  return calls;
};

/** A first line that is an array of its own is a batch, and one of several lines. */
const isOneArray = (text: string): boolean => {
  const [first = ""] = text.trimStart().split("\n", 1);
  return first.startsWith("[") && !isJson(first);
};

const isJson = (text: string): boolean => {
  try {
    parseExact(text);
    return true;
  } catch {
    return false;
  }
};

/** The calls of one value: a call, a batch, or a line of an access log. */
const callsIn = (file: string, { value, line }: Row): readonly Call[] => {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => callsIn(file, rowOf(one, line)));
  if (isMembers(value)) {
    const { method, params } = value;
    const body = value["request_body"] ?? value["body"];
    // An access log may name the HTTP method in the member `method`.
    if (typeof body === "string") return callsIn(file, rowOf(parse(file, body, line), line));
    if (typeof method === "string") return [{ method, params }];
  }
  throw bad(file, 'expected an object with "method" and "params"', line);
};

const rowOf = (value: unknown, line: number | undefined): Row =>
  line === undefined ? { value } : { value, line };

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
