export {
  errorCodes,
  type AddressFault,
  type ErrorCode,
  type ErrorContext,
  type ErrorDefinition,
  type ErrorFamily,
  type PublicError,
} from "./codes.ts";
export { diskError } from "./disk-error.ts";
export { definitionOf, isLamplightError, LamplightError } from "./lamplight-error.ts";
export { printable, printableJson, printableLines } from "./printable.ts";
export { accountMethods, type RpcError, toRpcError } from "./rpc-error.ts";
