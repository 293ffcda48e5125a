import { HttpError } from "../errors/http-error.ts";
import { RpcError } from "../errors/rpc-error.ts";
import { sleep, startDeadline } from "./deadline.ts";
import type { CallLimits, Transport, WireCall } from "./transport.ts";

/** Between two questions: half a slot of Solana. */
const POLL_MS = 200;

/** An address that needs no lookup to be valid. The content of the account does not matter. */
const anyAddress = "11111111111111111111111111111111";

// Numbers, not `rpcErrorCodes`: the whole table would be in every bundle.
const SLOT_NOT_REACHED = -32016;
/** Refused after the slot was compared: the asset is unknown, or outside the coverage. */
const reachedCodes = [-32000, -32068];
/** These refusals pass: the index is loading, busy, too many requests. */
const passingCodes = [-32067, -32069];
const passingStatuses = [429, 503];

/** The state that must have the slot. */
export interface WaitForSlotOptions {
  /** Level at which the slot must be readable; default: the level of the asset methods, a setting of the server. */
  readonly commitment?: "processed" | "confirmed" | "finalized" | undefined;
}

/**
 * Asks with `minContextSlot` until it is granted: this works over every transport, and reads the slot of real answers.
 *
 * @throws the signal's reason; a `TimeoutError` that names the newest slot; `RpcError`, `HttpError`
 */
export const waitForSlot = async (
  transport: Transport,
  slot: number | bigint,
  { commitment }: WaitForSlotOptions,
  limits: CallLimits,
): Promise<void> => {
  const deadline = startDeadline(limits);
  const { signal } = deadline;
  const call: WireCall =
    commitment === undefined
      ? { method: "getAsset", params: { id: anyAddress, minContextSlot: slot } }
      : { method: "getAccountInfo", params: [anyAddress, { commitment, minContextSlot: slot }] };
  let newest: unknown;
  try {
    for (;;) {
      const missing = await missingSlot(() => transport.call(call, { signal, timeoutMs: Infinity }));
      if (missing === null) return;
      newest = missing.newest ?? newest;
      await sleep(POLL_MS, signal);
    }
  } catch (error) {
    if (error !== signal.reason || limits.signal?.aborted === true) throw error;
    const known = newest === undefined ? "" : `; the newest is ${String(newest)}`;
    throw new DOMException(`slot ${slot} was not reached in time${known}`, "TimeoutError");
  } finally {
    deadline.end();
  }
};

/** Null = the slot can be read. */
const missingSlot = async (ask: () => Promise<unknown>): Promise<{ readonly newest?: unknown } | null> => {
  try {
    await ask();
    return null;
  } catch (error) {
    if (!(error instanceof HttpError || error instanceof RpcError)) throw error;
    if (passingStatuses.includes(error.status)) return {};
    if (error instanceof HttpError) throw error;
    const { code, data } = error as { code: number; data?: { contextSlot?: unknown; reason?: unknown } };
    if (code === SLOT_NOT_REACHED) return { newest: data?.contextSlot };
    if (passingCodes.includes(code) || data?.reason === "busy") return {};
    // The account methods refuse what is not covered with the code of a bad parameter, and a reason.
    if (reachedCodes.includes(code) || data?.reason !== undefined) return null;
    throw error;
  }
};
