/** An answer of the node that says no, in JSON-RPC's words. */
export class RpcRefusal extends Error {
  override readonly name = "RpcRefusal";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** No answer, or none that can be read: the network, the node, or someone between. */
export class RpcTrouble extends Error {
  override readonly name = "RpcTrouble";
  /** What the node asked us to wait; null when it did not. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The operator's settings do not fit the node: key, method, size. Trying again at once helps nothing. */
export class RpcForbidden extends Error {
  override readonly name = "RpcForbidden";
}

/** An answer, or what was asked for, is too large: less may be asked for at once. */
export class RpcTooLarge extends RpcForbidden {}

/** Codes that pass by themselves: not reached yet, behind, storage away, an accident. */
const passing: ReadonlySet<number> = new Set([-32004, -32005, -32014, -32016, -32019, -32603, -32429, 429]);

export const isPassing = (code: number): boolean => passing.has(code);

/** The method is not served here: unknown, switched off, or without the history it needs. */
export const isMissingMethod = (error: unknown): boolean =>
  error instanceof RpcRefusal && (error.code === -32601 || error.code === -32011);

/** What a node will say again tomorrow: our mistake, a method that is off, an account it keeps out of its index. */
const lasting: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32010, -32011, -32015]);

export const isLasting = (code: number): boolean => lasting.has(code);

/** Whether a node that answers others says no to this: for anyone who knows another way. */
export const isRefused = (error: unknown): error is RpcRefusal | RpcForbidden =>
  error instanceof RpcForbidden || (error instanceof RpcRefusal && !isPassing(error.code));

export const isRpcFault = (error: unknown): error is RpcRefusal | RpcTrouble | RpcForbidden =>
  error instanceof RpcRefusal || error instanceof RpcTrouble || error instanceof RpcForbidden;
