export {
  errorCodes,
  type AddressFault,
  type ErrorCode,
  type ErrorContext,
  type ErrorDefinition,
  type ErrorFamily,
  type RpcFace,
} from "./codes.ts";
export { diskError } from "./disk-error.ts";
export { definitionOf, isLamplightError, LamplightError } from "./lamplight-error.ts";
export { accountMethods, type RpcError, toRpcError } from "./rpc-error.ts";
