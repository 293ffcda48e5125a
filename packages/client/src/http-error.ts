import type { RpcError } from "./rpc-error.ts";

export interface HttpErrorAbout {
  readonly status: number;
  /** Seconds, or a date, as the server wrote it. */
  readonly retryAfter?: string | null;
  /** What the body says, when it is a JSON-RPC error. */
  readonly rpcError?: RpcError | null;
}

/**
 * An answer that is no JSON-RPC response to the call: refused before it was read (key, rate, size, loading), or, with
 * status 200, text of something that is no such server.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly retryAfter: string | null;
  readonly rpcError: RpcError | null;

  constructor(message: string, about: HttpErrorAbout, options?: { cause?: unknown }) {
    super(message, options);
    this.status = about.status;
    this.retryAfter = about.retryAfter ?? null;
    this.rpcError = about.rpcError ?? null;
  }
}
