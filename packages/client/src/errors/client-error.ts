/** Where an error comes from. */
export interface ErrorOrigin {
  /** Method of the call; for a batch its methods are not named. */
  readonly method?: string | undefined;
  /** Where the call was posted, without the API key. Not set for calls in process. */
  readonly url?: string | undefined;
  /** Identifies the request in logs: the header `X-Request-Id` of a proxy, or the id of an internal error. */
  readonly requestId?: string | undefined;
  /** What to check or to change. */
  readonly hint?: string | undefined;
  /** Page about the error; in the origin of an RpcError, the page of all. */
  readonly docs?: string | undefined;
  readonly cause?: unknown;
}

/** What all errors of the client have in common; those of the caller's own signal are passed on as they are. */
export abstract class ClientError extends Error {
  declare readonly method: string | undefined;
  declare readonly url: string | undefined;
  declare readonly requestId: string | undefined;
  declare readonly hint: string | undefined;
  declare readonly docs: string | undefined;

  constructor(message: string, { cause, ...origin }: ErrorOrigin) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, origin);
  }
}
