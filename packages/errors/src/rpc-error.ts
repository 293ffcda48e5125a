import { definitionOf, type LamplightError } from "./lamplight-error.ts";

/** The error member of a JSON-RPC response, and the HTTP status it travels on. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly httpStatus: number;
}

/** Methods that validators answer too: their clients only know the codes Agave uses, and give parameters as it takes them. */
export const accountMethods: ReadonlySet<string> = new Set([
  "getAccountInfo",
  "getTokenAccountsByDelegate",
  "getTokenSupply",
  "getLargestAccounts",
]);

/**
 * What a caller of `method` sees of `error`; null when the registry gives it no face on the wire
 * (the server then answers INTERNAL with an id).
 */
export const toRpcError = (error: LamplightError, method: string | null = null): RpcError | null => {
  const face = definitionOf(error.code).rpc;
  if (face === undefined) return null;
  const forAccountMethod =
    method !== null && accountMethods.has(method) && face.accountMethodCode !== undefined;
  const data = face.data?.(error.context);
  return {
    code: forAccountMethod ? face.accountMethodCode : face.code,
    message: face.message(error.context),
    ...(data === undefined ? {} : { data }),
    httpStatus: face.httpStatus ?? 200,
  };
};
