import { isLamplightError } from "@lamplight/errors";
import { DumpFault } from "../dumps/parse-account-dump.ts";
import { parseRow } from "./account-row.ts";
import type { RescanReader } from "./rescan-reader.ts";
import { clockAddress, type ScanRegion } from "./follow-plan.ts";
import type { FollowState } from "./follow-state.ts";
import { subscriptionsMax } from "./limits.ts";
import { isRpcFault, RpcForbidden, RpcTrouble } from "./rpc-fault.ts";
import type { Notification, RpcSocket } from "./rpc-socket.ts";

type Take = (notification: Notification) => void;

/** Subscribes to a set once; resolves with whether it was not yet. */
export type Listen = (scan: ScanRegion) => Promise<boolean>;

/**
 * Subscribes to everything that is followed. The clock comes last: every slot writes it, so once it is heard of,
 * everything else is; and when a later slot is heard of, what came before is whole.
 *
 * @param session - ended by what cannot be understood
 * @returns for sets that are found later
 * @throws RpcRefusal, RpcTrouble
 */
export const subscribeAll = async (
  socket: RpcSocket,
  state: FollowState,
  reader: RescanReader,
  session: AbortController,
): Promise<Listen> => {
  const { plan, line, bell } = state;
  const listen = (method: string, params: readonly unknown[], take: Take): Promise<void> =>
    socket.subscribe(method, params, guarded(take, state, session));
  const config = { encoding: "base64", commitment: "confirmed" };
  await listen("rootSubscribe", [], ({ value }) => state.noteRoot(value));
  await listen("slotSubscribe", [], ({ value }) => state.noteNodeSlot((value as { slot?: unknown }).slot));
  const heard = new Set<ScanRegion>();
  const listenTo: Listen = async (scan) => {
    if (heard.has(scan)) return false;
    if (plan.singles.size + heard.size >= subscriptionsMax) {
      throw new RpcForbidden(`more than ${subscriptionsMax} subscriptions are too many for one node`);
    }
    heard.add(scan);
    const { program, filters } = scan;
    await listen("programSubscribe", [program, { ...config, filters }], ({ slot, value }) => {
      const { pubkey, account } = value as { readonly pubkey?: unknown; readonly account?: unknown };
      const row = parseRow(pubkey, account);
      reader.noteWritten(row.pubkey, state.hear(row, slot), session.signal);
    });
    return true;
  };
  await Promise.all(plan.scans.map(listenTo));
  const singles = [...plan.singles].filter((address) => address !== clockAddress);
  await Promise.all(
    singles.map((address) =>
      listen("accountSubscribe", [address, config], ({ slot, value }) => {
        reader.noteWritten(address, state.hear(parseRow(address, value), slot), session.signal);
      }),
    ),
  );
  await listen("accountSubscribe", [clockAddress, config], ({ slot, value }) => {
    line.hear(state.hear(parseRow(clockAddress, value), slot));
    state.lastHeardMs = Date.now();
    bell.ring();
  });
  return listenTo;
};

const guarded =
  (take: Take, state: FollowState, session: AbortController): Take =>
  (notification) => {
    if (session.signal.aborted) return;
    state.notifications += 1;
    state.lastMessageMs = Date.now();
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
