import { definitionOf, type LamplightError } from "./lamplight-error.ts";

/** The error member of a JSON-RPC response, and the HTTP status it travels on. */
export interface RpcError {
  /** JSON-RPC error code. */
  readonly code: number;
  /** One sentence that names the parameter, or says what to do. */
  readonly message: string;
  /** Values of this error that may be published. Absent where there are none. */
  readonly data?: unknown;
  /** 200 for errors of a call that ran. */
  readonly httpStatus: number;
}

/** Methods that validators answer too. Their clients know only Agave's error codes. */
export const accountMethods: ReadonlySet<string> = new Set([
  "getAccountInfo",
  "getTokenAccountsByDelegate",
  "getTokenSupply",
  "getLargestAccounts",
]);

/**
 * The JSON-RPC error that a caller of `method` receives. Null where the registry has no public error for it; the
 * server then answers `INTERNAL` with an id.
 *
 * @param method - null for an error that is found before the method is known
 */
export const toRpcError = (error: LamplightError, method: string | null = null): RpcError | null => {
  const found = definitionOf(error.code).rpc;
  if (found === undefined) return null;
  const forAccountMethod =
    method !== null && accountMethods.has(method) && found.accountMethodCode !== undefined;
  const data = found.data?.(error.context);
  return {
    code: forAccountMethod ? found.accountMethodCode : found.code,
    message: found.message(error.context),
    ...(data === undefined ? {} : { data }),
    httpStatus: found.httpStatus ?? 200,
  };
};
