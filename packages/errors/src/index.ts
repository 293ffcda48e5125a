export { errorCodes, type ErrorCode, type ErrorContext } from "./codes.ts";
export type { AddressFault, ErrorDefinition, ErrorFamily, PublicError } from "./codes/definition.ts";
export { diskError } from "./disk-error.ts";
export { brokenInvariant, definitionOf, isLamplightError, LamplightError } from "./lamplight-error.ts";
export { printable, printableJson, printableLines } from "./printable.ts";
export { accountMethods, type RpcError, toRpcError } from "./rpc-error.ts";
export { parseRetryAfter } from "./retry-after.ts";
export { usageError } from "./usage-error.ts";
