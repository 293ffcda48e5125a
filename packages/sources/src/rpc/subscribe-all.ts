import type { Slot } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { DumpFault } from "../dumps/parse-account-dump.ts";
import { type AccountRow, parseRow } from "./account-row.ts";
import type { ConditionVariable } from "./condition-variable.ts";
import { clockAddress } from "./follow-plan.ts";
import type { ScanRegion } from "./scan-region.ts";
import { SUBSCRIPTIONS_MAX } from "./limits.ts";
import type { ChainChecks } from "./chain-checks.ts";
import type { ConfirmedChain } from "./confirmed-chain.ts";
import type { RescanReader } from "./rescan-reader.ts";
import { isRpcFault, RpcForbidden, RpcTrouble } from "./rpc-fault.ts";
import type { Notification, RpcSocket } from "./rpc-socket.ts";
import type { SlotJump } from "./slot-line.ts";
import { SlotParents } from "./slot-parents.ts";

type Take = (notification: Notification) => void;

/** Subscribes to a scan once; resolves with whether it was new. */
export type Listen = (scan: ScanRegion) => Promise<boolean>;

export interface SubscribeOptions {
  readonly socket: RpcSocket;
  readonly chain: ConfirmedChain;
  readonly reader: RescanReader;
  readonly checks: ChainChecks;
  /** Rings when the node reports a slot. */
  readonly changed: ConditionVariable;
  /** Aborted by a message that cannot be decoded. */
  readonly session: AbortController;
  /** Notifications may then be of another fork; everything is read afterwards. */
  readonly isFilling: () => boolean;
  readonly onMessage: () => void;
  /** Called for a slot with a block of which nothing was notified. */
  readonly onMissed: () => void;
}

/**
 * Subscribes to everything that is followed. The clock comes last, because every slot writes it: once it is notified,
 * all other subscriptions work. When a later slot is notified, what came before is complete. A node may notify nothing of
 * a slot: if the later one is not its child, the node is asked which slots between them have blocks.
 *
 * @returns a function for scans that are found later
 * @throws RpcRefusal, RpcTrouble
 */
export const subscribeAll = async (options: SubscribeOptions): Promise<Listen> => {
  const { socket, chain, reader, changed, session, isFilling } = options;
  const { plan, line } = chain;
  const { horizon } = reader;
  const listen = (method: string, params: readonly unknown[], take: Take): Promise<void> =>
    socket.subscribe(method, params, guarded(take, options));
  const notify = (row: AccountRow, at: Slot | null): Slot => {
    if (at === null) throw new RpcTrouble("an account notification has no slot");
    const slot = horizon.assertNear(at, "an account notification");
    if (isFilling()) return slot;
    chain.notify(row, slot);
    reader.noteWritten(chain, row.pubkey, slot, session.signal);
    return slot;
  };
  const config = { encoding: "base64", commitment: "confirmed" };
  await listen("rootSubscribe", [], ({ value }) => {
    horizon.noteFinalized(value);
    changed.ring();
  });
  const parents = new SlotParents();
  await listen("slotSubscribe", [], ({ value }) => {
    const { slot, parent } = value as { readonly slot?: unknown; readonly parent?: unknown };
    horizon.noteProcessed(slot);
    parents.note(slot, parent);
  });
  const heard = new Set<ScanRegion>();
  const listenTo: Listen = async (scan) => {
    if (heard.has(scan)) return false;
    if (plan.singles.size + heard.size >= SUBSCRIPTIONS_MAX) {
      throw new RpcForbidden(`more than ${SUBSCRIPTIONS_MAX} subscriptions are too many for one node`);
    }
    heard.add(scan);
    const { program, filters } = scan;
    await listen("programSubscribe", [program, { ...config, filters }], ({ slot, value }) => {
      const { pubkey, account } = value as { readonly pubkey?: unknown; readonly account?: unknown };
      notify(parseRow(pubkey, account), slot);
    });
    return true;
  };
  await Promise.all(plan.scans.map(listenTo));
  const listenToAccount = (address: string, take: (slot: Slot) => void): Promise<void> =>
    listen("accountSubscribe", [address, config], ({ slot, value }) =>
      take(notify(parseRow(address, value), slot)),
    );
  const singles = [...plan.singles].filter((address) => address !== clockAddress);
  await Promise.all(singles.map((address) => listenToAccount(address, () => {})));
  const settle = async (jump: SlotJump): Promise<void> => {
    const isMissed = await options.checks.hasBlocksWithin(jump.from, jump.to, session.signal);
    if (session.signal.aborted) return;
    if (isMissed) options.onMissed();
    line.settle(jump, isMissed);
    changed.ring();
  };
  await listenToAccount(clockAddress, (slot) => {
    const jump = line.receive(slot, parents.of(slot));
    if (jump !== null) void settle(jump);
    changed.ring();
  });
  return listenTo;
};

const guarded =
  (take: Take, { session, onMessage }: SubscribeOptions): Take =>
  (notification) => {
    if (session.signal.aborted) return;
    onMessage();
    try {
      take(notification);
    } catch (error) {
      session.abort(isUnderstood(error) ? error : unreadable(error));
    }
  };

const isUnderstood = (error: unknown): boolean =>
  isRpcFault(error) || isLamplightError(error) || error instanceof DumpFault;

const unreadable = (cause: unknown): RpcTrouble =>
  new RpcTrouble("the WebSocket sent a message that cannot be decoded", { cause });
