import type { Commitment, Profile, ViewSource } from "@lamplight/core";
import { type Client, createTypedClient } from "./client.ts";
import { RetryingTransport } from "./call/retrying-transport.ts";
import type { CallLimits, Transport } from "./call/transport.ts";
import { contractVersion } from "./generated/version.ts";
import { defaultRetryPolicy, noRetries, type RetryPolicy } from "./call/retry.ts";
import { InProcessTransport } from "./in-process-transport.ts";
import type { IntegerMode } from "./types/values.ts";

/** The source that the client reads, and its options. Only `viewSource` is required. */
export interface InProcessOptions<I extends IntegerMode = "amounts"> extends CallLimits {
  /** The methods read from it; an open store, for example. */
  readonly viewSource: ViewSource;
  /** The form of the answers to a missing account and a missing encoding; default `spec`. */
  readonly profile?: Profile | undefined;
  /** Answered as `context.apiVersion`; default: the version of this package. */
  readonly apiVersion?: string | undefined;
  /** Commitment that the asset methods read at; default `confirmed`. */
  readonly assetCommitment?: Commitment | undefined;
  /** Wraps the way to the methods, for example to inject faults in a test. */
  readonly intercept?: ((transport: Transport) => Transport) | undefined;
  /** After an `HttpError` with status 429 or 503 that `intercept` throws, as over HTTP; false = none. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
  /** The form of integers in results; default `amounts`. */
  readonly integers?: I | undefined;
}

/**
 * The same client without a server: calls go straight into the methods of `@lamplight/core`, which must be installed
 * next to this package, together with `@lamplight/errors`. It reads one view of the store per call or batch.
 *
 * ```ts
 * const client = createInProcessClient({ viewSource: openSqliteReader({ file: "index.db" }) });
 * ```
 *
 * Every method throws `RpcError` as over HTTP, and the abort reason when `signal` or `timeoutMs` ended the call.
 * Where those packages are missing, every call throws a `TypeError` that names them.
 * Errors that a server would only log are the `cause` of an `RpcError` with code -32603.
 */
export const createInProcessClient = <const I extends IntegerMode = "amounts">(
  options: InProcessOptions<I>,
): Client<I> => {
  const { viewSource, profile = "spec", apiVersion = contractVersion, signal, timeoutMs } = options;
  const { assetCommitment, intercept, retry = {} } = options;
  const methods = new InProcessTransport({ viewSource, profile, apiVersion, assetCommitment });
  const policy = retry === false ? noRetries : { ...defaultRetryPolicy, ...retry };
  const transport = intercept === undefined ? methods : new RetryingTransport(intercept(methods), policy);
  return createTypedClient(transport, { signal, timeoutMs }, options.integers ?? ("amounts" as I));
};
