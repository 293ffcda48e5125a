import type { ClientError, ErrorOrigin } from "../errors/client-error.ts";
import { NetworkError } from "../errors/network-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { networkFault } from "./hints.ts";
import type { Hooks } from "./hooks.ts";
import { type Reply, readRefusal } from "./read-reply.ts";
import { type RetryPolicy, retried } from "../call/retry.ts";

/** Where bodies are posted, and how. */
export interface HttpSenderOptions extends Hooks {
  /** The address of the server, with its key. */
  readonly endpoint: Endpoint;
  /** Sends one request. */
  readonly fetch: typeof globalThis.fetch;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The conditions under which a body is posted again. */
  readonly retry: RetryPolicy;
}

/** An answer with HTTP status 2xx. */
export interface HttpReply extends Reply {
  /** `X-Slot` and `X-Incomplete-Trees` describe the state that was read. */
  readonly headers: Headers;
}

/** Posts bodies. A refusal that may pass and a lost connection are tried again, because every call only reads. */
export class HttpSender {
  readonly #options: HttpSenderOptions;

  constructor(options: HttpSenderOptions) {
    this.#options = options;
  }

  /**
   * An answer with a status of success.
   *
   * @throws RpcError, HttpError, NetworkError, the signal's reason
   */
  async post(body: string, methods: readonly string[], signal: AbortSignal): Promise<HttpReply> {
    return retried((attempt) => this.#attempt(body, methods, attempt, signal), this.#options.retry, signal);
  }

  async #attempt(
    body: string,
    methods: readonly string[],
    attempt: number,
    signal: AbortSignal,
  ): Promise<HttpReply | ClientError> {
    const { endpoint, fetch, headers: given, onRequest, onResponse } = this.#options;
    const headers = new Headers(given);
    headers.set("content-type", "application/json");
    const url = endpoint.shown;
    const about = { url, methods, attempt };
    const origin = { url, method: methods.length === 1 ? methods[0] : undefined };
    onRequest?.({ ...about, body, headers });
    const startMs = Date.now();
    const end = (response: Response | null, error?: unknown): void =>
      onResponse?.({ ...about, response, durationMs: Date.now() - startMs, error });
    let response: Response;
    let text: string;
    try {
      response = await fetch(endpoint.href, { method: "POST", headers, body, signal });
      text = await response.text();
    } catch (cause) {
      end(null, cause);
      signal.throwIfAborted();
      const { hint, reason, isDropped } = networkFault(cause);
      const message = `no answer from ${url} (${endpoint.redact(reason)}): ${hint}`;
      return new NetworkError(message, { ...origin, hint, cause, isDropped } as ErrorOrigin);
    }
    end(response);
    const { status, ok, headers: answered } = response;
    const source = {
      ...origin,
      status,
      retryAfter: answered.get("retry-after"),
      requestId: answered.get("x-request-id") ?? undefined,
      docs: endpoint.docs,
    };
    const reply = { text, endpoint, origin: source, headers: answered };
    return ok ? reply : readRefusal(reply);
  }
}
