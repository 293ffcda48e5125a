import { ClientError } from "../errors/client-error.ts";
import { retried, type RetryPolicy } from "./retry.ts";
import type { Answer } from "./answer.ts";
import { startDeadline, unlessAborted } from "./deadline.ts";
import type { BatchReply, CallLimits, Transport, WireCall } from "./transport.ts";

/** Calls another transport again after the errors that a client over HTTP retries. The limits hold for all attempts. */
export class RetryingTransport implements Transport {
  readonly #inner: Transport;
  readonly #policy: RetryPolicy;

  constructor(inner: Transport, policy: RetryPolicy) {
    this.#inner = inner;
    this.#policy = policy;
  }

  /** @throws RpcError, HttpError, NetworkError, the signal's reason */
  call(call: WireCall, limits: CallLimits): Promise<Answer<unknown>> {
    return this.#retried(limits, (own) => this.#inner.call(call, own));
  }

  batch(calls: readonly WireCall[], limits: CallLimits): Promise<BatchReply> {
    return this.#retried(limits, (own) => this.#inner.batch(calls, own));
  }

  async #retried<Result>(limits: CallLimits, send: (own: CallLimits) => Promise<Result>): Promise<Result> {
    const deadline = startDeadline(limits);
    const { signal } = deadline;
    const attempt = (): Promise<Result | ClientError> =>
      unlessAborted(send({ signal, timeoutMs: Infinity }), signal).catch(errorOf);
    try {
      return await retried(attempt, this.#policy, signal);
    } finally {
      deadline.end();
    }
  }
}

const errorOf = (error: unknown): ClientError => {
  if (error instanceof ClientError) return error;
  throw error;
};
