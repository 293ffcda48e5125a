import { sleep, startDeadline } from "../call/deadline.ts";
import type { BatchAnswer, CallLimits, Transport, WireCall } from "../call/transport.ts";
import { HttpError } from "../http-error.ts";
import { writeExact } from "../json/write-exact.ts";
import { findRpcError, readBatch, readResult } from "./read-reply.ts";
import { type RetryPolicy, retryDelayMs } from "./retry.ts";

export interface HttpTransportOptions {
  /** Where calls are posted, key included. */
  readonly endpoint: string;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly retry: RetryPolicy;
}

/** Calls as JSON-RPC 2.0 over HTTP POST. */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  #lastId = 0;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
  }

  async call(call: WireCall, limits: CallLimits): Promise<unknown> {
    const id = this.#nextId();
    return readResult(await this.#post(requestText(id, call), limits), id);
  }

  async batch(calls: readonly WireCall[], limits: CallLimits): Promise<readonly BatchAnswer<unknown>[]> {
    // An empty batch is an invalid request, and there is nothing to ask.
    if (calls.length === 0) return [];
    const ids = calls.map(() => this.#nextId());
    const requests = calls.map((call, index) => requestText(ids[index]!, call));
    return readBatch(await this.#post(`[${requests.join(",")}]`, limits), ids);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The body of the answer with status 200. */
  async #post(body: string, limits: CallLimits): Promise<string> {
    const deadline = startDeadline(limits);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await this.#send(body, deadline.signal);
        if (typeof answer === "string") return answer;
        const delayMs = retryDelayMs(answer, attempt, this.#options.retry, Date.now());
        if (delayMs === null) throw answer;
        await sleep(delayMs, deadline.signal);
      }
    } finally {
      deadline.end();
    }
  }

  async #send(body: string, signal: AbortSignal): Promise<string | HttpError> {
    const { endpoint, fetch, headers } = this.#options;
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal,
    });
    const text = await response.text();
    if (response.ok) return text;
    const { status, statusText } = response;
    const rpcError = findRpcError(text);
    return new HttpError(`HTTP ${status}: ${rpcError?.message ?? statusText}`, {
      status,
      retryAfter: response.headers.get("retry-after"),
      rpcError,
    });
  }
}

const requestText = (id: number, { method, params }: WireCall): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${writeExact(params)}}`;
