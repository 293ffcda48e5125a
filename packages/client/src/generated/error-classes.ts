// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import { RpcError } from "../errors/rpc-error.ts";
import type { RpcErrorName } from "./error-codes.ts";

const hasKind = (error: unknown, kind: RpcErrorName): boolean =>
  error instanceof Error && (error as Partial<RpcError>).kind === kind;

/** The body is JSON but not a JSON-RPC 2.0 request, or the HTTP request is not supported; `data.reason` has the reason. Also base58 for more than 128 bytes of account data. */
export class InvalidRequestError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "InvalidRequest";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isInvalidRequest(error);
  }
}
/** Whether `error` is a InvalidRequestError, also one of another copy of this package. */
export const isInvalidRequest = (error: unknown): error is InvalidRequestError => hasKind(error, "InvalidRequest");

/** A parameter is missing, unknown, of the wrong kind or out of range. `data.parameter` and `data.position` locate it. The message and `data.hint` suggest a valid one. The account methods use Agave's text: `Invalid param: …`. */
export class InvalidParamsError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "InvalidParams";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isInvalidParams(error);
  }
}
/** Whether `error` is a InvalidParamsError, also one of another copy of this package. */
export const isInvalidParams = (error: unknown): error is InvalidParamsError => hasKind(error, "InvalidParams");

/** An error of the server; search for `data.id` in its log. Without `data.id` the message names the store: it is damaged, or, with HTTP 503, cannot be reached; then try again. */
export class InternalError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "InternalError";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isInternalError(error);
  }
}
/** Whether `error` is a InternalError, also one of another copy of this package. */
export const isInternalError = (error: unknown): error is InternalError => hasKind(error, "InternalError");

/** The store has not reached `minContextSlot`; `data.contextSlot` is its slot. */
export class MinContextSlotNotReachedError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "MinContextSlotNotReached";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isMinContextSlotNotReached(error);
  }
}
/** Whether `error` is a MinContextSlotNotReachedError, also one of another copy of this package. */
export const isMinContextSlotNotReached = (error: unknown): error is MinContextSlotNotReachedError => hasKind(error, "MinContextSlotNotReached");

/** No asset has this id; `data.id` repeats it. */
export class AssetNotFoundError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "AssetNotFound";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isAssetNotFound(error);
  }
}
/** Whether `error` is a AssetNotFoundError, also one of another copy of this package. */
export const isAssetNotFound = (error: unknown): error is AssetNotFoundError => hasKind(error, "AssetNotFound");

/** The mint is known but has no master edition; `data.id` repeats it. */
export class MasterEditionNotFoundError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "MasterEditionNotFound";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isMasterEditionNotFound(error);
  }
}
/** Whether `error` is a MasterEditionNotFoundError, also one of another copy of this package. */
export const isMasterEditionNotFound = (error: unknown): error is MasterEditionNotFoundError => hasKind(error, "MasterEditionNotFound");

/** The query exceeds a limit of this server; the message and `data.hint` describe a cheaper one. Account methods answer -32602 and the same data. */
export class QueryOverBudgetError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "QueryOverBudget";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isQueryOverBudget(error);
  }
}
/** Whether `error` is a QueryOverBudgetError, also one of another copy of this package. */
export const isQueryOverBudget = (error: unknown): error is QueryOverBudgetError => hasKind(error, "QueryOverBudget");

/** The requested data is outside what this store covers; `data.what` names it. Account methods answer -32602 and the same data. */
export class NotCoveredError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "NotCovered";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNotCovered(error);
  }
}
/** Whether `error` is a NotCoveredError, also one of another copy of this package. */
export const isNotCovered = (error: unknown): error is NotCoveredError => hasKind(error, "NotCovered");

/** The body is not JSON, or not UTF-8, or nested too deeply. */
export class ParseError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "ParseError";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isParseError(error);
  }
}
/** Whether `error` is a ParseError, also one of another copy of this package. */
export const isParseError = (error: unknown): error is ParseError => hasKind(error, "ParseError");

/** Unknown method; the message and `data.hint` name the nearest one, or what answers here in place of a method of other servers. */
export class MethodNotFoundError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "MethodNotFound";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isMethodNotFound(error);
  }
}
/** Whether `error` is a MethodNotFoundError, also one of another copy of this package. */
export const isMethodNotFound = (error: unknown): error is MethodNotFoundError => hasKind(error, "MethodNotFound");

/** The path has no API key, or an unknown one. */
export class KeyUnknownError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "KeyUnknown";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isKeyUnknown(error);
  }
}
/** Whether `error` is a KeyUnknownError, also one of another copy of this package. */
export const isKeyUnknown = (error: unknown): error is KeyUnknownError => hasKind(error, "KeyUnknown");

/** The key is known but may not do this. */
export class KeyNotAllowedError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "KeyNotAllowed";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isKeyNotAllowed(error);
  }
}
/** Whether `error` is a KeyNotAllowedError, also one of another copy of this package. */
export const isKeyNotAllowed = (error: unknown): error is KeyNotAllowedError => hasKind(error, "KeyNotAllowed");

/** Too many requests, or too many wrong keys from this address; the `Retry-After` header contains the seconds to wait. */
export class RateExceededError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "RateExceeded";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isRateExceeded(error);
  }
}
/** Whether `error` is a RateExceededError, also one of another copy of this package. */
export const isRateExceeded = (error: unknown): error is RateExceededError => hasKind(error, "RateExceeded");

/** The key's quota is used up; the `Retry-After` header contains the seconds until it is renewed. */
export class QuotaExceededError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "QuotaExceeded";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isQuotaExceeded(error);
  }
}
/** Whether `error` is a QuotaExceededError, also one of another copy of this package. */
export const isQuotaExceeded = (error: unknown): error is QuotaExceededError => hasKind(error, "QuotaExceeded");

/** The request body, also after decompression, is larger than `data.limitBytes`. */
export class BodyTooLargeError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "BodyTooLarge";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isBodyTooLarge(error);
  }
}
/** Whether `error` is a BodyTooLargeError, also one of another copy of this package. */
export const isBodyTooLarge = (error: unknown): error is BodyTooLargeError => hasKind(error, "BodyTooLarge");

/** A batch has more than `data.limit` calls. A batch with a call of an account method gets -32600 and the same data. */
export class BatchTooLargeError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "BatchTooLarge";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isBatchTooLarge(error);
  }
}
/** Whether `error` is a BatchTooLargeError, also one of another copy of this package. */
export const isBatchTooLarge = (error: unknown): error is BatchTooLargeError => hasKind(error, "BatchTooLarge");

/** The store is not ready yet, or finalization has stalled, as it does while a cluster changes to Alpenglow; the `Retry-After` header contains the seconds to wait. Without that header the store file was replaced or deleted, and the server must be restarted. */
export class IndexLoadingError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "IndexLoading";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isIndexLoading(error);
  }
}
/** Whether `error` is a IndexLoadingError, also one of another copy of this package. */
export const isIndexLoading = (error: unknown): error is IndexLoadingError => hasKind(error, "IndexLoading");

/** The server is busy: all read views are in use, or too many answers have not been read. A single call gets HTTP 503 and `Retry-After`. Inside a batch only this call fails; account methods answer -32603 there, with `data.reason` "busy". */
export class BusyError extends RpcError {
  /** Stable name of this error, for a `switch`. */
  declare readonly kind: "Busy";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isBusy(error);
  }
}
/** Whether `error` is a BusyError, also one of another copy of this package. */
export const isBusy = (error: unknown): error is BusyError => hasKind(error, "Busy");
