/**
 * A call that was understood and refused: the error member of a JSON-RPC response.
 *
 * `code` is one of `rpcErrorCodes`; `data` holds what the contract says of it, such as `{ parameter, position }`.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}
