import { type Client, createMainClient } from "./client.ts";
import type { CallLimits, Transport } from "./call/transport.ts";
import { type ContractPath, resolveEndpoint } from "./http/endpoint.ts";
import type { Hooks } from "./http/hooks.ts";
import { HttpTransport } from "./http/http-transport.ts";
import { defaultRetryPolicy, noRetries, type RetryPolicy } from "./call/retry.ts";
import type { IntegerMode } from "./types/values.ts";

/** The way to a server, and the options of its client. Only `url` is required. */
export interface ClientOptions<I extends IntegerMode = "amounts"> extends CallLimits, Hooks {
  /** Base of the server, `http://127.0.0.1:5267`, when `apiKey` is given; else the whole address that calls go to. */
  readonly url: string;
  /** Becomes the last part of the address: `<url>/v3/<apiKey>`. Absent where `url` contains it. */
  readonly apiKey?: string | undefined;
  /** Default: the engine's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default 30 000, retries included. */
  readonly timeoutMs?: number | undefined;
  /** After HTTP 429 and 503, and after a lost connection; false = none. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
  /** `perTick` sends the calls of one turn of the event loop as one batch; default: one request for each call. */
  readonly batching?: ((transport: Transport) => Transport) | undefined;
  /** `monotonicReads` refuses answers that are older than one before, across connections and servers; default: none are. */
  readonly consistency?: ((transport: Transport) => Transport) | undefined;
  /** The form of integers in results; default `amounts`. */
  readonly integers?: I | undefined;
}

/**
 * A client of one server.
 *
 * ```ts
 * const client = createClient({ url: "http://127.0.0.1:5267", apiKey: "demo" });
 * const asset = await client.getAsset({ id });
 * for await (const nft of client.searchAssets.all({ ownerAddress: owner })) console.log(nft.id);
 * ```
 *
 * Every method throws `RpcError` when the server refuses the call, `HttpError` when something else answered,
 * `NetworkError` when nothing did, and the abort reason when `signal` or `timeoutMs` ended it.
 *
 * @throws TypeError at once, when `url` or `apiKey` cannot be right
 */
export const createClient = <const I extends IntegerMode = "amounts">(options: ClientOptions<I>): Client<I> =>
  createMainClient(openTransport(options, "v3"), limitsOf(options), options.integers ?? ("amounts" as I));

/**
 * The way to a server that the options name.
 *
 * @param path - of the contract, where `apiKey` is apart from `url`
 */
export const openTransport = (options: ClientOptions<IntegerMode>, path: ContractPath): Transport => {
  const { url, apiKey, headers = {}, retry = {}, onRequest, onResponse } = options;
  const transport = new HttpTransport({
    endpoint: resolveEndpoint(url, apiKey, path),
    // Called without a receiver: browsers refuse a `fetch` that is called as a member of something else.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    headers,
    retry: retry === false ? noRetries : { ...defaultRetryPolicy, ...retry },
    onRequest,
    onResponse,
  });
  const reads = options.consistency?.(transport) ?? transport;
  return options.batching?.(reads) ?? reads;
};

/** The limits of every call. */
export const limitsOf = ({ signal, timeoutMs }: CallLimits): CallLimits => ({ signal, timeoutMs });
