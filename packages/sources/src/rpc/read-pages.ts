import type { Slot } from "@lamplight/core";
import { type AccountRow, parseRow } from "./account-row.ts";
import { ACCOUNTS_PER_CALL_MAX, PAGES_AT_ONCE_MAX } from "./limits.ts";
import type { CallOptions, RpcClient } from "./rpc-client.ts";
import { RpcTooLarge, RpcTrouble } from "./rpc-fault.ts";
import type { SlotHorizon } from "./slot-horizon.ts";

export interface PageContext {
  readonly client: RpcClient;
  readonly horizon: SlotHorizon;
  readonly commitment: "confirmed" | "finalized";
  /** Answers of lower slots are rejected. */
  readonly minSlot: Slot;
  readonly signal: AbortSignal;
  /** Timeout of one page in milliseconds; default: that of every call. */
  readonly pageMsMax?: number;
  /** Pages requested in parallel; the default leaves calls for others. */
  readonly pagesAtOnce?: number;
}

/** Accounts of one answer. */
export interface AccountPage {
  readonly slot: Slot;
  /** Addresses are base58 text; null = there is no such account at that slot. */
  readonly rows: readonly { readonly address: string; readonly row: AccountRow | null }[];
}

/**
 * Reads accounts by their addresses, a hundred at a time and some pages in parallel; fewer where an answer would be
 * too large.
 *
 * @throws RpcRefusal, RpcForbidden, RpcTrouble
 */
export const readPages = async (
  addresses: readonly string[],
  context: PageContext,
  take: (page: AccountPage) => void | Promise<void>,
): Promise<void> => {
  let [count, next] = [ACCOUNTS_PER_CALL_MAX, 0];
  const readOn = async (): Promise<void> => {
    while (next < addresses.length) {
      const mine = addresses.slice(next, next + count);
      next += mine.length;
      for (let from = 0; from < mine.length;) {
        const some = mine.slice(from, from + count);
        const page = await readUnlessTooLarge(some, context);
        if (page === null) count = Math.min(count, Math.ceil(some.length / 2));
        else {
          from += some.length;
          await take(page);
        }
      }
    }
  };
  const giveUp = (error: unknown): never => {
    next = addresses.length;
    throw error;
  };
  const { pagesAtOnce = PAGES_AT_ONCE_MAX } = context;
  await Promise.all(Array.from({ length: pagesAtOnce }, () => readOn().catch(giveUp)));
};

/** Null when the answer was too large, and smaller parts can be requested. */
const readUnlessTooLarge = async (
  page: readonly string[],
  context: PageContext,
): Promise<AccountPage | null> => {
  const { pageMsMax } = context;
  try {
    return await callWithSlot("getMultipleAccounts", [page, {}], context, {
      ...(pageMsMax === undefined ? {} : { timeoutMs: pageMsMax }),
      understand: (slot, value) => ({ slot, rows: rowsOf(page, value) }),
    });
  } catch (error) {
    if (error instanceof RpcTooLarge && page.length > 1) return null;
    throw error;
  }
};

const rowsOf = (page: readonly string[], value: unknown): AccountPage["rows"] => {
  if (!Array.isArray(value) || value.length !== page.length) {
    throw new RpcTrouble("getMultipleAccounts was answered with another number of accounts");
  }
  return page.map((address, index) => ({
    address,
    row: value[index] === null ? null : parseRow(address, value[index]),
  }));
};

interface SlotCallOptions<Result> extends Omit<CallOptions, "signal" | "check"> {
  /** Any error that it throws causes another attempt. */
  readonly understand: (slot: Slot, value: unknown) => Result;
}

/** Requests an answer again if the node is behind, far ahead, or does not know `minContextSlot`. */
export const callWithSlot = async <Result>(
  method: string,
  [what, config]: readonly [unknown, object],
  { client, horizon, commitment, minSlot, signal }: PageContext,
  { understand, ...options }: SlotCallOptions<Result>,
): Promise<Result> =>
  (await client.call(method, [what, { encoding: "base64", commitment, minContextSlot: minSlot, ...config }], {
    ...options,
    signal,
    check: (result) => {
      const { context, value } = (result ?? {}) as {
        readonly context?: { readonly slot?: unknown } | null;
        readonly value?: unknown;
      };
      if (context?.slot === undefined) throw new RpcTrouble(`${method} was answered without a slot`);
      const slot = horizon.assertNear(context.slot, `an answer of ${method}`);
      if (slot >= minSlot) return understand(slot, value);
      throw new RpcTrouble(`${method} was answered at slot ${slot}, ${minSlot} was asked for`);
    },
  })) as Result;
