// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

import type { RpcErrorName } from "./error-codes.ts";

/** Errors by what `data.reason` names, by the message where codes are shared, and by code. */
export const errorKinds: { readonly [sign: string]: RpcErrorName } = {
  "-32600": "InvalidRequest",
  "-32602": "InvalidParams",
  "-32603": "InternalError",
  "-32016": "MinContextSlotNotReached",
  "-32000": "AssetNotFound",
  "Master Edition not found": "MasterEditionNotFound",
  "-32066": "QueryOverBudget",
  "QUERY__OVER_BUDGET": "QueryOverBudget",
  "-32068": "NotCovered",
  "STORE__NOT_COVERED": "NotCovered",
  "-32700": "ParseError",
  "-32601": "MethodNotFound",
  "-32060": "KeyUnknown",
  "-32061": "KeyNotAllowed",
  "-32062": "RateExceeded",
  "-32063": "QuotaExceeded",
  "-32064": "BodyTooLarge",
  "-32065": "BatchTooLarge",
  "REQUEST__BATCH_TOO_LARGE": "BatchTooLarge",
  "-32067": "IndexLoading",
  "-32069": "Busy",
  busy: "Busy",
};
