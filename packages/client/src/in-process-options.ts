import type { Commitment, Profile, ViewSource } from "@lamplight/core";
import { defaultRetryPolicy, noRetries, type RetryPolicy } from "./call/retry.ts";
import { RetryingTransport } from "./call/retrying-transport.ts";
import type { CallLimits, Transport } from "./call/transport.ts";
import { contractVersion } from "./generated/version.ts";
import { InProcessTransport, type InProcessTransportOptions } from "./in-process-transport.ts";
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
 * The way to the methods that the options name.
 *
 * @param loadMethods - loads the methods of another contract
 */
export const openInProcessTransport = (
  options: InProcessOptions<IntegerMode>,
  loadMethods?: InProcessTransportOptions["loadMethods"],
): Transport => {
  const { viewSource, profile = "spec", apiVersion = contractVersion } = options;
  const { assetCommitment, intercept, retry = {} } = options;
  const methods = new InProcessTransport({ viewSource, profile, apiVersion, assetCommitment, loadMethods });
  const policy = retry === false ? noRetries : { ...defaultRetryPolicy, ...retry };
  return intercept === undefined ? methods : new RetryingTransport(intercept(methods), policy);
};
