import { ClientError, type ErrorOrigin } from "./client-error.ts";

export interface HttpErrorOrigin extends ErrorOrigin {
  readonly status: number;
  /** Seconds, or a date, as the server wrote it. */
  readonly retryAfter?: string | null | undefined;
}

/** An answer that is no JSON-RPC response to the call: of a proxy, or of something that is no such server. */
export class HttpError extends ClientError {
  override readonly name = "HttpError";
  declare readonly status: number;
  declare readonly retryAfter: string | null;

  constructor(message: string, origin: HttpErrorOrigin) {
    super(message, { retryAfter: null, ...origin } as HttpErrorOrigin);
  }
}
