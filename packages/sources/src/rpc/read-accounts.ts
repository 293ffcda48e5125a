import { setImmediate as nextTurn } from "node:timers/promises";
import type { Account, Slot } from "@lamplight/core";
import { accountOfRow, type AccountRow, parseRow } from "./account-row.ts";
import type { FollowPlan, ScanRegion } from "./follow-plan.ts";
import { parseInTurns } from "./parse-in-turns.ts";
import type { KnownAccounts } from "./known-accounts.ts";
import { accountsPerCallMax, rowsPerTurnMax, scanBytesMax, scanMsMax } from "./limits.ts";
import type { CallOptions, RpcClient } from "./rpc-client.ts";
import { RpcTooLarge, RpcTrouble } from "./rpc-fault.ts";
import type { SlotHorizon } from "./slot-horizon.ts";

export interface ReadContext {
  readonly client: RpcClient;
  readonly known: KnownAccounts;
  readonly horizon: SlotHorizon;
  readonly commitment: "confirmed" | "finalized";
  /** Answers of lower slots are not taken. */
  readonly minSlot: Slot;
  readonly signal: AbortSignal;
  /** What is left alone, whatever is answered of it. */
  readonly held: FollowPlan | null;
  /** Gets what is news; may ask to wait. */
  readonly tell: (account: Account) => void;
}

/**
 * Reads every account of a scan's set: what changed is told, and so is what is gone. An answer that lacks an account is
 * not believed by itself: each that is missing is asked for by its address first.
 *
 * @returns slot at which the set is known
 * @throws RpcRefusal, RpcForbidden, RpcTrouble
 */
export const readScan = async (
  scan: ScanRegion,
  context: ReadContext,
): Promise<{ slot: Slot; count: number }> => {
  const { slot, value } = await callWithSlot(
    "getProgramAccounts",
    [scan.program, { withContext: true, sortResults: false, filters: scan.filters }],
    context,
    { timeoutMs: scanMsMax, bytesMax: scanBytesMax, parse: parseInTurns },
  );
  if (!Array.isArray(value)) throw new RpcTrouble("getProgramAccounts was answered without a list");
  const present = new Set<string>();
  for (const item of value as readonly ({ readonly pubkey?: unknown; readonly account?: unknown } | null)[]) {
    const row = parseRow(item?.pubkey, item?.account);
    present.add(row.pubkey);
    tellRow(row, slot, context);
    // Whoever is served by this process does not wait for all of it.
    if (present.size % rowsPerTurnMax === 0) await nextTurn();
  }
  await readAddresses(context.known.missing(scan, present, slot), { ...context, minSlot: slot });
  return { slot, count: present.size };
};

/** Reads single accounts, a hundred at a time; fewer where that is too much. @returns slots of the answers */
export const readAddresses = async (
  addresses: readonly string[],
  context: ReadContext,
): Promise<readonly Slot[]> => {
  const slots: Slot[] = [];
  let count = accountsPerCallMax;
  for (let from = 0; from < addresses.length;) {
    const page = addresses.slice(from, from + count);
    const answer = await callUnlessTooLarge(page, context);
    if (answer === null) {
      count = Math.ceil(page.length / 2);
      continue;
    }
    from += page.length;
    const { slot, value } = answer;
    if (!Array.isArray(value) || value.length !== page.length) {
      throw new RpcTrouble("getMultipleAccounts was answered with another number of accounts");
    }
    for (const [index, address] of page.entries()) {
      if (value[index] === null) tellAbsence(address, slot, context);
      else tellRow(parseRow(address, value[index]), slot, context);
    }
    slots.push(slot);
  }
  return slots;
};

/** Null when it was too much, and can be asked for in smaller parts. */
const callUnlessTooLarge = async (
  page: readonly string[],
  context: ReadContext,
): Promise<{ slot: Slot; value: unknown } | null> => {
  try {
    return await callWithSlot("getMultipleAccounts", [page, {}], context);
  } catch (error) {
    if (error instanceof RpcTooLarge && page.length > 1) return null;
    throw error;
  }
};

const tellRow = (row: AccountRow, slot: Slot, { known, held, tell }: ReadContext): void => {
  if (held !== null) {
    const isHeld = known.isOf(held, row.pubkey) || held.covers(accountOfRow(row, slot), row.pubkey);
    if (isHeld) return;
  }
  const account = known.take(row, slot);
  if (account !== null) tell(account);
};

const tellAbsence = (address: string, slot: Slot, { known, held, tell }: ReadContext): void => {
  if (held !== null && known.isOf(held, address)) return;
  const account = known.takeAbsence(address, slot);
  if (account !== null) tell(account);
};

/** Answers of nodes that are behind, or that do not know `minContextSlot`, are asked for again. */
const callWithSlot = async (
  method: string,
  [what, config]: readonly [unknown, object],
  { client, horizon, commitment, minSlot, signal }: ReadContext,
  options: CallOptions = {},
): Promise<{ slot: Slot; value: unknown }> =>
  (await client.call(method, [what, { encoding: "base64", commitment, minContextSlot: minSlot, ...config }], {
    ...options,
    signal,
    check: (result) => assertSlot(method, result, minSlot, horizon),
  })) as { slot: Slot; value: unknown };

const assertSlot = (
  method: string,
  result: unknown,
  minSlot: Slot,
  horizon: SlotHorizon,
): { slot: Slot; value: unknown } => {
  const { context, value } = (result ?? {}) as {
    readonly context?: { readonly slot?: unknown } | null;
    readonly value?: unknown;
  };
  if (context?.slot === undefined) throw new RpcTrouble(`${method} was answered without a slot`);
  const slot = horizon.assertNear(context.slot, `an answer of ${method}`);
  if (slot < minSlot)
    throw new RpcTrouble(`${method} was answered at slot ${slot}, ${minSlot} was asked for`);
  return { slot, value };
};
