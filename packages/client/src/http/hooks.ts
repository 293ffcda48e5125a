/** A request that is about to be sent. */
export interface RequestEvent {
  /** The API key is left out. */
  readonly url: string;
  /** One method, or those of a batch. */
  readonly methods: readonly string[];
  /** The first attempt is 1. */
  readonly attempt: number;
  /** JSON text that is sent. */
  readonly body: string;
  /** Headers that are sent; a hook may set more. */
  readonly headers: Headers;
}

/** The outcome of one attempt. */
export interface ResponseEvent {
  /** The API key is left out. */
  readonly url: string;
  /** One method, or those of a batch. */
  readonly methods: readonly string[];
  /** The first attempt is 1. */
  readonly attempt: number;
  /** Null when no answer arrived. Its body is read already. */
  readonly response: Response | null;
  /** From sending until the body was read, or until the attempt failed. */
  readonly durationMs: number;
  /** The reason why no answer arrived. */
  readonly error: unknown;
}

/** Called for every request and answer: for logs, metrics and headers. An error that a hook throws ends the call. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each attempt, also one that failed. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
}
