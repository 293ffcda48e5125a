/** A request that is about to be sent. */
export interface RequestEvent {
  /** Without the API key. */
  readonly url: string;
  /** One method, or those of a batch. */
  readonly methods: readonly string[];
  /** From 1. */
  readonly attempt: number;
  /** JSON text that is sent. */
  readonly body: string;
  /** Headers that are sent; a hook may set more. */
  readonly headers: Headers;
}

/** How one attempt ended. */
export interface ResponseEvent {
  /** Without the API key. */
  readonly url: string;
  /** One method, or those of a batch. */
  readonly methods: readonly string[];
  /** From 1. */
  readonly attempt: number;
  /** Null when no answer arrived. Its body is read already. */
  readonly response: Response | null;
  /** From sending until the body was read, or until the attempt failed. */
  readonly durationMs: number;
  /** Why no answer arrived. */
  readonly error: unknown;
}

/** Called for every request and answer: for logs, metrics and headers. What a hook throws ends the call. */
export interface Hooks {
  /** Before each attempt. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each attempt, also one that failed. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
}
