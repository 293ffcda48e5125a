// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

/** JSON-RPC codes of the errors a server answers with. Two that share a code differ in their message. */
export const rpcErrorCodes = {
  /** Invalid request. */
  InvalidRequest: -32600,
  /** Invalid params. */
  InvalidParams: -32602,
  /** Internal error. */
  InternalError: -32603,
  /** Minimum context slot has not been reached. */
  MinContextSlotNotReached: -32016,
  /** Asset Not Found. */
  AssetNotFound: -32000,
  /** Master Edition not found. */
  MasterEditionNotFound: -32000,
  /** Query over its budget. */
  QueryOverBudget: -32066,
  /** Outside what this store covers. */
  NotCovered: -32068,
  /** Parse error. */
  ParseError: -32700,
  /** Method not found. */
  MethodNotFound: -32601,
  /** API key missing or unknown. */
  KeyUnknown: -32060,
  /** API key not allowed here. */
  KeyNotAllowed: -32061,
  /** Too many requests. */
  RateExceeded: -32062,
  /** Quota used up. */
  QuotaExceeded: -32063,
  /** Request body is too large. */
  BodyTooLarge: -32064,
  /** Batch has too many calls. */
  BatchTooLarge: -32065,
  /** Index still loading. */
  IndexLoading: -32067,
  /** Busy, try again. */
  Busy: -32069,
} as const;

/** Stable name of an error of the contract: the member kind of an RpcError. */
export type RpcErrorName = keyof typeof rpcErrorCodes;
