/** The origin of an error. */
export interface ErrorOrigin {
  /** Method of the call; for a batch its methods are not named. */
  readonly method?: string | undefined;
  /** Where the call was posted, without the API key. Absent for calls in process. */
  readonly url?: string | undefined;
  /** Identifies the request in logs: the header `X-Request-Id` of a proxy, or the id of an internal error. */
  readonly requestId?: string | undefined;
  /** Advice: something to check or to change. */
  readonly hint?: string | undefined;
  /** Page about the error; in the origin of an RpcError, the page of all. */
  readonly docs?: string | undefined;
  /** The error of another layer, such as `fetch`. */
  readonly cause?: unknown;
}

/** The base of all errors of the client; those of the caller's own signal are passed on as they are. */
export abstract class ClientError extends Error {
  /** Method of the call; not set for a batch. */
  declare readonly method: string | undefined;
  /** Where the call was posted, without the API key; not set in process. */
  declare readonly url: string | undefined;
  /** Find the request in the log of the server or of a proxy by this id. */
  declare readonly requestId: string | undefined;
  /** Advice: something to check or to change. */
  declare readonly hint: string | undefined;
  /** Page that explains the error. */
  declare readonly docs: string | undefined;

  constructor(message: string, { cause, ...origin }: ErrorOrigin) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, origin);
  }
}
