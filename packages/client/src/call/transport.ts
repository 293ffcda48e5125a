import type { RpcError } from "../errors/rpc-error.ts";
import type { Answer } from "./answer.ts";
import type { WireParams } from "./wire-params.ts";

/** One call as it is sent. */
export interface WireCall {
  /** Wire name. */
  readonly method: string;
  /** Positions, or one object of names. */
  readonly params: WireParams;
}

/** Bounds of a call, retries included. */
export interface CallLimits {
  /** Aborts the call; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The call fails with a `TimeoutError` after so long; `Infinity` = never. */
  readonly timeoutMs?: number | undefined;
}

/** The outcome of one call of a batch. */
export type BatchAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: RpcError };

/** The answers of a batch, in the order of its calls, and the state they were read from. */
export interface BatchReply extends Omit<Answer<unknown>, "result"> {
  /** One for each call. */
  readonly answers: readonly BatchAnswer<unknown>[];
}

/** The way to the methods: over HTTP, or straight into them. */
export interface Transport {
  /**
   * The result, parsed; whole numbers past 2^53 are bigint.
   *
   * @throws RpcError what the method refused with
   */
  call(call: WireCall, limits: CallLimits): Promise<Answer<unknown>>;
  /** As many answers as calls, in their order. */
  batch(calls: readonly WireCall[], limits: CallLimits): Promise<BatchReply>;
}
