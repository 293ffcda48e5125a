import { isUtf8 } from "node:buffer";

import { parseExact } from "@lamplight/core";
import { accountMethods, LamplightError } from "@lamplight/errors";

import { type RpcRequest, readRpcRequest } from "./envelope.ts";
import { inspectText } from "./inspect-text.ts";

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
