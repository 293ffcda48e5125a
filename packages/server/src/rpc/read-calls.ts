import { isUtf8 } from "node:buffer";

import { InexactNumber, nearestName, parseExact } from "@lamplight/core";
import { accountMethods, LamplightError } from "@lamplight/errors";

/** One request object of JSON-RPC after its check. `id` is the JSON text to echo. */
export type RpcRequest =
  | { readonly kind: "call"; readonly id: string; readonly method: string; readonly params: unknown }
  /** No id: no one waits for an answer, and reads have no effect, so there is nothing to do. */
  | { readonly kind: "notification" }
  | ({ readonly kind: "invalid"; readonly id: string } & Fault);

interface Fault {
  readonly reason: string;
  /** The member that was probably meant. */
  readonly nearest?: string;
}

export interface Calls {
  readonly entries: readonly RpcRequest[];
  readonly isBatch: boolean;
}

/** A refusal of the whole body; `method` picks the code where the called methods' clients know only some. */
export interface BodyFault {
  readonly error: LamplightError;
  readonly method: string | null;
}

/** The greatest depth that Agave's parser accepts. Code that walks the parameters may then recurse without fear. */
const NESTING_MAX = 127;

/**
 * Bytes of a body to the calls in it. Bytes that are not UTF-8 are refused, not repaired: a repaired address would be
 * another address. Faults of one entry of a batch stay with that entry.
 */
export const readCalls = (body: Buffer, batchCallsMax: number): Calls | BodyFault => {
  if (!isUtf8(body)) return parseFault();
  const text = body.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return parseFault(cause);
  }
  const isBatch = Array.isArray(value);
  const { depth, repeated, hasInexactNumber } = inspectText(text, isBatch);
  if (depth > NESTING_MAX) return parseFault();
  if (hasInexactNumber) value = parseExact(text);
  const requests = isBatch ? (value as unknown[]) : [value];
  if (requests.length === 0) return invalidFault("a batch has at least one request");
  if (requests.length > batchCallsMax) return batchFault(requests, batchCallsMax);
  const entries = requests.map(readRpcRequest);
  return { entries: repeated === null ? entries : refuseRepeated(entries, repeated), isBatch };
};

const refuseRepeated = (
  entries: readonly RpcRequest[],
  repeated: ReadonlyMap<number, string>,
): readonly RpcRequest[] =>
  entries.map((entry, position) => {
    const name = repeated.get(position);
    if (name === undefined || entry.kind === "invalid") return entry;
    const id = entry.kind === "call" && name !== "id" ? entry.id : "null";
    return { kind: "invalid", id, reason: `${name} is given twice` };
  });

/** @param cause - for the log */
export const parseFault = (cause?: unknown): BodyFault => ({
  error: new LamplightError("REQUEST__PARSE", {}, { cause }),
  method: null,
});

const invalidFault = (reason: string): BodyFault => ({
  error: new LamplightError("REQUEST__INVALID", { reason }),
  method: null,
});

/** Account methods come first: their clients break on codes that they do not know. */
const batchFault = (requests: readonly unknown[], limit: number): BodyFault => ({
  error: new LamplightError("REQUEST__BATCH_TOO_LARGE", { count: requests.length, limit }),
  method: requests.map(methodOf).find((method) => accountMethods.has(method)) ?? null,
});

const methodOf = (request: unknown): string => {
  const method = (request as { method?: unknown } | null)?.method;
  return typeof method === "string" ? method : "";
};

/** The error of an entry that is no request of JSON-RPC. */
export const invalidRequest = ({ reason, nearest }: Fault): LamplightError =>
  new LamplightError("REQUEST__INVALID", { reason, ...(nearest === undefined ? {} : { nearest }) });

const members = ["jsonrpc", "id", "method", "params"] as const;
const isMember = (name: string): boolean =>
  name === "jsonrpc" || name === "id" || name === "method" || name === "params";

/** Checks one request object by JSON-RPC 2.0; `value` is parsed JSON. */
const readRpcRequest = (value: unknown): RpcRequest => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "invalid", id: "null", reason: "a request is an object" };
  }
  const request = value as Record<string, unknown>;
  const id = request["id"] === undefined ? undefined : idText(request["id"]);
  if (id === null) return { kind: "invalid", id: "null", reason: "id must be a string, a number or null" };
  const fault = findFault(request);
  if (fault !== null) return { kind: "invalid", id: id ?? "null", ...fault };
  if (id === undefined) return { kind: "notification" };
  return { kind: "call", id, method: request["method"] as string, params: request["params"] };
};

const findFault = (request: Record<string, unknown>): Fault | null => {
  if (request["jsonrpc"] !== "2.0") return { reason: 'jsonrpc must be "2.0"' };
  if (typeof request["method"] !== "string") return { reason: "method must be a string" };
  const params = request["params"];
  if (
    params !== undefined &&
    params !== null &&
    (typeof params !== "object" || params instanceof InexactNumber)
  ) {
    return { reason: "params must be an array or an object" };
  }
  // Agave refuses it, too: a misspelt member (`parameters`, `Id`) would otherwise be ignored in silence.
  for (const name in request) if (!isMember(name)) return unknownMember(name);
  return null;
};

const unknownMember = (name: string): Fault => {
  const nearest = nearestName(name, members);
  const reason = `unknown member ${JSON.stringify(name.slice(0, 64))}`;
  return nearest === undefined ? { reason } : { reason: `${reason}; did you mean ${nearest}?`, nearest };
};

/** The id as it goes back: numbers digit for digit; null for what cannot be an id. */
const idText = (id: unknown): string | null => {
  if (typeof id === "string") return JSON.stringify(id);
  if (typeof id === "number" || typeof id === "bigint") return String(id);
  if (id instanceof InexactNumber) return id.text;
  return id === null ? "null" : null;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

interface TextFindings {
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
  /**
   * Requests that give a member twice: position in the batch (0 for a single one) → the member's name. Parsers keep
   * the last of two in silence, and two readers of one text might then disagree on which method was called.
   */
  readonly repeated: ReadonlyMap<number, string> | null;
  /** Some number may not survive as a JavaScript number: the text is to be parsed by `parseExact`. */
  readonly hasInexactNumber: boolean;
}

/** Finds what parsing does not show of a request text, which is known to be valid JSON. One pass over it. */
export const inspectText = (text: string, isBatch: boolean): TextFindings => {
  const memberDepth = isBatch ? 2 : 1;
  let repeated: Map<number, string> | null = null;
  let names: string[] = [];
  let depth = 0;
  let depthMax = 0;
  let position = 0;
  let hasInexactNumber = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case QUOTE: {
        const end = endOfString(text, at + 1);
        if (depth === memberDepth && isName(text, end + 1)) {
          const name = unescape(text.slice(at + 1, end));
          if (names.includes(name)) (repeated ??= new Map()).set(position, name);
          else if (names.length < DISTINCT_NAMES_MAX) names.push(name);
        }
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (++depth === memberDepth) names = [];
        if (depth > depthMax) depthMax = depth;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth--;
        break;
      case COMMA:
        if (isBatch && depth === 1) position++;
        break;
      default:
        if (code === MINUS || isDigit(code)) {
          const end = endOfNumber(text, at + 1);
          hasInexactNumber ||= isInexact(text, at, end);
          at = end - 1;
        }
    }
  }
  return { depth: depthMax, repeated, hasInexactNumber };
};

/** Digits that a double always holds. */
const EXACT_DIGITS_MAX = 15;

/** The end of a number in valid JSON: the token ends where something comes that is in no number. */
const endOfNumber = (text: string, from: number): number => {
  let end = from;
  while (end < text.length && isInNumber(text.charCodeAt(end))) end++;
  return end;
};

const isInNumber = (code: number): boolean =>
  code > SPACE && code !== COMMA && code !== CLOSE_OBJECT && code !== CLOSE_ARRAY;

/** Anything but a short integer; a minus may be before a zero. */
const isInexact = (text: string, from: number, end: number): boolean => {
  if (end - from > EXACT_DIGITS_MAX || text.charCodeAt(from) === MINUS) return true;
  for (let at = from; at < end; at++) if (!isDigit(text.charCodeAt(at))) return true;
  return false;
};

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** A request with more names than this has unknown ones and is refused for them. */
const DISTINCT_NAMES_MAX = 8;

const endOfString = (text: string, from: number): number => {
  let end = text.indexOf('"', from);
  while (isEscaped(text, end, from)) end = text.indexOf('"', end + 1);
  return end;
};

/** An odd run of backslashes before a quote makes it part of the string. */
const isEscaped = (text: string, quoteAt: number, from: number): boolean => {
  let backslashes = 0;
  while (quoteAt - 1 - backslashes >= from && text.charCodeAt(quoteAt - 1 - backslashes) === BACKSLASH)
    backslashes++;
  return backslashes % 2 === 1;
};

const isName = (text: string, after: number): boolean => {
  let at = after;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
};

const unescape = (raw: string): string => (raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw);
