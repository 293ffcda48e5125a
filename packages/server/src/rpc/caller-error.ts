import { randomUUID } from "node:crypto";

import { isLamplightError, LamplightError, type RpcError, toRpcError } from "@lamplight/errors";

import type { Log } from "../log/log.ts";

export interface CallerError extends RpcError {
  /** Stable name, for logs and metrics. */
  readonly name: string;
  /** Seconds for a Retry-After header; null when there is nothing to wait for. */
  readonly retryAfterSeconds: number | null;
  /** Refused for lack of room or by a limit of its key, not for what it asks: other calls of its batch are answered. */
  readonly isBusy: boolean;
}

/**
 * The error that the caller of `method` gets for `error`. Anything that the registry gives no face on the wire becomes
 * an internal error with an id; the log has the rest under that id, the caller nothing else.
 */
export const toCallerError = (
  error: unknown,
  method: string | null,
  log: Log,
  isInBatch = false,
): CallerError => {
  if (isLamplightError(error)) {
    const isBusy = ofOneCall.has(error.code);
    // A single call of this kind is a refused request, which has one code regardless of the method.
    const rpcError = toRpcError(error, isBusy && !isInBatch ? null : method);
    if (rpcError !== null) {
      return { ...rpcError, name: error.code, retryAfterSeconds: retryAfterSeconds(error), isBusy };
    }
  }
  const internal = new LamplightError("INTERNAL", { id: randomUUID() }, { cause: error });
  log.error({ id: internal.context.id, method: method?.slice(0, 64), err: error }, internal.message);
  return { ...toRpcError(internal, method)!, name: internal.code, retryAfterSeconds: null, isBusy: false };
};

const ofOneCall: ReadonlySet<string> = new Set([
  "STORE__BUSY",
  "SERVER__BUSY",
  "REQUEST__KEY_NOT_ALLOWED",
  "REQUEST__RATE",
  "REQUEST__QUOTA",
]);

/** Seconds for a Retry-After header; null when there is nothing to wait for. */
export const retryAfterSeconds = (error: LamplightError): number | null => {
  if (
    isLamplightError(error, "STORE__LOADING") ||
    isLamplightError(error, "REQUEST__RATE") ||
    isLamplightError(error, "REQUEST__QUOTA")
  )
    return error.context.retryAfterSeconds;
  return retrySoon.has(error.code) ? 1 : null;
};

const retrySoon: ReadonlySet<string> = new Set([
  "STORE__BUSY",
  "STORE__BASE_MOVED",
  "SERVER__BUSY",
  "STORE__UNREACHABLE",
]);
