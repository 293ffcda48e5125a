import { type Client, createFace } from "./client.ts";
import type { CallLimits } from "./call/transport.ts";
import { HttpTransport } from "./http/http-transport.ts";
import { defaultRetryPolicy, noRetries, type RetryPolicy } from "./http/retry.ts";

export interface ClientOptions extends CallLimits {
  /** Base of the server, `http://127.0.0.1:5267`, when `apiKey` is given; else the whole address that calls go to. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** Default: the engine's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default 30 000, retries included. */
  readonly timeoutMs?: number | undefined;
  /** After HTTP 429 and 503; false = none. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
}

/**
 * A client of one server.
 *
 * ```ts
 * const client = createClient({ url: "http://127.0.0.1:5267", apiKey: "demo" });
 * const asset = await client.getAsset(id, { showFungible: true });
 * const page = await client.searchAssets({ ownerAddress: owner, limit: 10 });
 * ```
 *
 * Every method throws `RpcError` when the call is refused, `HttpError` when it is refused before it is read, the
 * abort reason when `signal` or `timeoutMs` ended it, and what `fetch` throws when there is no connection.
 */
export const createClient = (options: ClientOptions): Client => {
  const { url, apiKey, headers = {}, retry = {}, signal, timeoutMs } = options;
  const transport = new HttpTransport({
    endpoint: apiKey === undefined ? url : `${url.replace(/\/+$/, "")}/v3/${encodeURIComponent(apiKey)}`,
    // Called without a receiver: browsers refuse a `fetch` that is called as a member of something else.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    headers,
    retry: retry === false ? noRetries : { ...defaultRetryPolicy, ...retry },
  });
  return createFace(transport, { signal, timeoutMs });
};
