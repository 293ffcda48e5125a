import { ClientError, type ErrorOrigin } from "./client-error.ts";

/** The origin of the answer. */
export interface HttpErrorOrigin extends ErrorOrigin {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Seconds, or a date, as the server wrote it. */
  readonly retryAfter?: string | null | undefined;
}

/** The answer is no JSON-RPC response to the call. A proxy sent it, or a server of another kind. */
export class HttpError extends ClientError {
  override readonly name = "HttpError";
  /** HTTP status of the answer. */
  declare readonly status: number;
  /** Header `Retry-After`: seconds, or an HTTP date; null without it. */
  declare readonly retryAfter: string | null;

  constructor(message: string, origin: HttpErrorOrigin) {
    super(message, { retryAfter: null, ...origin } as HttpErrorOrigin);
  }
}
