/** A JSON-RPC error that the node answered. */
export class RpcRefusal extends Error {
  override readonly name = "RpcRefusal";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** No answer, or no readable one: the fault of the network, the node, or a proxy. */
export class RpcTrouble extends Error {
  override readonly name = "RpcTrouble";
  /** The wait that the node requested; null when it did not. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The operator's settings do not fit the node: key, method, size. A retry does not help. */
export class RpcForbidden extends Error {
  override readonly name = "RpcForbidden";
}

/** An answer, or a request, is too large: request less at once. */
export class RpcTooLarge extends RpcForbidden {}

/** Codes of temporary errors: slot not reached, node behind, storage unavailable, internal error. */
const passing: ReadonlySet<number> = new Set([-32004, -32005, -32014, -32016, -32019, -32603, -32429, 429]);

export const isPassing = (code: number): boolean => passing.has(code);

/** The method is unknown, switched off, or lacks the history that it needs. */
export const isMissingMethod = (error: unknown): boolean =>
  error instanceof RpcRefusal && (error.code === -32601 || error.code === -32011);

/** Permanent errors: our mistake, a method that is off, an account that the node excludes from its index. */
const lasting: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32010, -32011, -32015]);

export const isLasting = (code: number): boolean => lasting.has(code);

/** Whether only this node refuses, for callers that have an alternative. */
export const isRefused = (error: unknown): error is RpcRefusal | RpcForbidden =>
  error instanceof RpcForbidden || (error instanceof RpcRefusal && !isPassing(error.code));

export const isRpcFault = (error: unknown): error is RpcRefusal | RpcTrouble | RpcForbidden =>
  error instanceof RpcRefusal || error instanceof RpcTrouble || error instanceof RpcForbidden;
