import { setImmediate as nextTurn } from "node:timers/promises";
import type { Account, Slot } from "@lamplight/core";
import { accountOfRow, type AccountRow, parseRow } from "./account-row.ts";
import type { FollowPlan } from "./follow-plan.ts";
import type { ScanRegion } from "./scan-region.ts";
import { parseInTurns } from "./parse-in-turns.ts";
import type { KnownAccounts } from "./known-accounts.ts";
import { ROWS_PER_TURN_MAX, scanBytesMax, SCAN_MS_MAX } from "./limits.ts";
import { callWithSlot, type PageContext, readPages } from "./read-pages.ts";
import { RpcTrouble } from "./rpc-fault.ts";

export interface ReadContext extends PageContext {
  readonly known: KnownAccounts;
  /** Accounts to skip, for any answer. */
  readonly held: FollowPlan | null;
  /** Called as the answer of a scan comes; null = its length is not reported. */
  readonly onBytes?: (bytes: number, total: number | null) => void;
  /** Receives changes; may return a promise to wait for. */
  readonly emit: (account: Account) => void;
}

export interface ReadSet {
  /** The slots of the answers. */
  readonly slots: readonly Slot[];
  readonly count: number;
}

/**
 * Reads every account of a scan, and reports changed and closed ones. An account that the answer lacks is requested
 * by its address before it counts as closed.
 *
 * @throws RpcRefusal, RpcForbidden, RpcTrouble
 */
export const readScan = async (scan: ScanRegion, context: ReadContext): Promise<ReadSet> => {
  const present = new Set<string>();
  const slot = await readRows(scan, context, (row, at) => {
    present.add(row.pubkey);
    reportRow(row, at, context);
  });
  await readAddresses(context.known.missing(scan, present, slot), { ...context, minSlot: slot });
  return { slots: [slot], count: present.size };
};

/**
 * Reads the rows of a scan.
 *
 * @returns the slot of the answer
 * @throws RpcRefusal, RpcForbidden, RpcTrouble
 */
export const readRows = async (
  scan: ScanRegion,
  context: PageContext & Pick<ReadContext, "onBytes">,
  take: (row: AccountRow, slot: Slot) => void,
): Promise<Slot> => {
  const { slot, items } = await callWithSlot(
    "getProgramAccounts",
    [scan.program, { withContext: true, sortResults: false, filters: scan.filters }],
    context,
    {
      timeoutMs: SCAN_MS_MAX,
      bytesMax: scanBytesMax(),
      parse: parseInTurns,
      ...(context.onBytes === undefined ? {} : { onBytes: context.onBytes }),
      understand: (at, value) => ({ slot: at, items: itemsOf(value) }),
    },
  );
  for (const [index, item] of items.entries()) {
    take(parseRow(item?.pubkey, item?.account), slot);
    // Other requests of this process must not wait for all of it.
    if ((index + 1) % ROWS_PER_TURN_MAX > 0) continue;
    await nextTurn();
    context.signal.throwIfAborted();
  }
  return slot;
};

type ScanItem = { readonly pubkey?: unknown; readonly account?: unknown } | null;

const itemsOf = (value: unknown): readonly ScanItem[] => {
  if (Array.isArray(value)) return value as readonly ScanItem[];
  throw new RpcTrouble("getProgramAccounts was answered without a list");
};

/** Reads single accounts. @returns slots of the answers */
export const readAddresses = async (
  addresses: readonly string[],
  context: ReadContext,
): Promise<readonly Slot[]> => {
  const slots: Slot[] = [];
  await readPages(addresses, context, ({ slot, rows }) => {
    for (const { address, row } of rows) {
      if (row === null) emitAbsence(address, slot, context);
      else reportRow(row, slot, context);
    }
    slots.push(slot);
  });
  return slots;
};

const reportRow = (row: AccountRow, slot: Slot, { known, held, emit }: ReadContext): void => {
  if (held !== null) {
    const isHeld = known.isOf(held, row.pubkey) || held.covers(accountOfRow(row, slot), row.pubkey);
    if (isHeld) return;
  }
  const account = known.take(row, slot);
  if (account !== null) emit(account);
};

const emitAbsence = (address: string, slot: Slot, { known, held, emit }: ReadContext): void => {
  if (held !== null && known.isOf(held, address)) return;
  const account = known.takeAbsence(address, slot);
  if (account !== null) emit(account);
};
