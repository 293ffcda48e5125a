/** A request that is about to be sent. */
export interface RequestEvent {
  /** Without the API key. */
  readonly url: string;
  /** One method, or those of a batch. */
  readonly methods: readonly string[];
  /** From 1. */
  readonly attempt: number;
  readonly body: string;
  /** Headers that are sent; a hook may set more. */
  readonly headers: Headers;
}

/** How one attempt ended. */
export interface ResponseEvent {
  /** Without the API key. */
  readonly url: string;
  readonly methods: readonly string[];
  readonly attempt: number;
  /** Null when no answer arrived. Its body is read already. */
  readonly response: Response | null;
  readonly durationMs: number;
  /** Why no answer arrived. */
  readonly error: unknown;
}

/** What sees every request and answer, for logs, metrics and headers. */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
}
