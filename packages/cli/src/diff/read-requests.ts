import { readFile } from "node:fs/promises";
import { parseExact } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Call } from "./compare-call.ts";
import { isMembers } from "./members.ts";

const REQUESTS_MAX = 100_000;

/** The calls of a file, and what in it is none. */
export interface RequestFile {
  readonly calls: readonly Call[];
  readonly skipped: Skipped;
}

/** Values that are no call, such as lines of an access log about other requests. */
export interface Skipped {
  readonly count: number;
  /** Why the first one is no call, with its line; null where none was skipped. */
  readonly first: LamplightError | null;
}

/**
 * Calls of a file: a JSON array, or one JSON value a line, with `method` and `params` each. Whole JSON-RPC requests
 * and batches are taken as they are. So are the lines of an access log in JSON whose member `request_body` or `body` is
 * the text of one. Empty lines and lines that begin with `//` or `#` are left out. All else is skipped and counted.
 *
 * @throws LamplightError `SOURCE__NO_SUCH_PATH`
 * @throws LamplightError `SOURCE__BAD_DUMP` for an array that is no JSON, a file without any call, and one with too many
 */
export const readRequests = async (file: string): Promise<RequestFile> => {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new LamplightError("SOURCE__NO_SUCH_PATH", { path: file });
    throw cause;
  });
  const found = isOneArray(text) ? callsIn(file, { value: parse(file, text) }) : readLines(file, text);
  const calls = found.filter((one): one is Call => !(one instanceof LamplightError));
  const refused = found.filter((one) => one instanceof LamplightError);
  const [first = null] = refused;
  if (calls.length === 0 && first !== null) throw first;
  if (calls.length > REQUESTS_MAX)
    throw new LamplightError("SOURCE__BAD_DUMP", {
      file,
      reason: `holds more than ${REQUESTS_MAX} requests`,
    });
  return { calls, skipped: { count: refused.length, first } };
};

/** A call, or the reason why a value is none. */
type Found = Call | LamplightError;

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
const callsIn = (file: string, { value, line }: Row): readonly Found[] => {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => callsIn(file, rowOf(one, line)));
  if (isMembers(value)) {
    const { method, params } = value;
    const body = value["request_body"] ?? value["body"];
    // An access log may name the HTTP method in the member `method`.
    if (typeof body === "string") return callsOfText(file, body, line);
    if (typeof method === "string" && !httpMethod.test(method)) return [{ method, params }];
  }
  return [bad(file, 'expected an object with "method" and "params"', line)];
};

/** No JSON-RPC method is in capitals. */
const httpMethod = /^[A-Z]+$/u;

const rowOf = (value: unknown, line: number | undefined): Row =>
  line === undefined ? { value } : { value, line };

interface Row {
  readonly value: unknown;
  readonly line?: number;
}

const readLines = (file: string, text: string): readonly Found[] =>
  text
    .split("\n")
    .map((row, index) => ({ row: row.trim(), line: index + 1 }))
    .filter(({ row }) => row !== "" && !row.startsWith("//") && !row.startsWith("#"))
    .flatMap(({ row, line }) => callsOfText(file, row, line));

const callsOfText = (file: string, text: string, line: number | undefined): readonly Found[] => {
  try {
    return callsIn(file, rowOf(parse(file, text, line), line));
  } catch (cause) {
    if (cause instanceof LamplightError) return [cause];
    throw cause;
  }
};

const parse = (file: string, text: string, line?: number): unknown => {
  try {
    return parseExact(text);
  } catch (cause) {
    throw bad(file, (cause as Error).message, line);
  }
};

const bad = (file: string, reason: string, line?: number): LamplightError =>
  new LamplightError("SOURCE__BAD_DUMP", { file, reason, ...(line === undefined ? {} : { line }) });
