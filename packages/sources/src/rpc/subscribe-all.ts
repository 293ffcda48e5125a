import { isLamplightError } from "@lamplight/errors";
import { DumpFault } from "../dumps/parse-account-dump.ts";
import { parseRow } from "./account-row.ts";
import type { EverythingReader } from "./everything-reader.ts";
import { clockAddress } from "./follow-plan.ts";
import type { FollowState } from "./follow-state.ts";
import { isRpcFault, RpcTrouble } from "./rpc-fault.ts";
import type { Notification, RpcSocket } from "./rpc-socket.ts";

type Take = (notification: Notification) => void;

/**
 * Subscribes to everything that is followed. The clock comes last: every slot writes it, so once it is heard of,
 * everything else is; and when a later slot is heard of, what came before is whole.
 *
 * @param session - ended by what cannot be understood
 * @throws RpcRefusal, RpcTrouble
 */
export const subscribeAll = async (
  socket: RpcSocket,
  state: FollowState,
  reader: EverythingReader,
  session: AbortController,
): Promise<void> => {
  const { plan, line, bell } = state;
  const listen = (method: string, params: readonly unknown[], take: Take): Promise<void> =>
    socket.subscribe(method, params, guarded(take, state, session));
  const config = { encoding: "base64", commitment: "confirmed" };
  await listen("rootSubscribe", [], ({ value }) => state.noteRoot(value));
  await listen("slotSubscribe", [], ({ value }) => state.noteNodeSlot((value as { slot?: unknown }).slot));
  await Promise.all(
    plan.scans.map(({ program, filters }) =>
      listen("programSubscribe", [program, { ...config, filters }], ({ slot, value }) => {
        const { pubkey, account } = value as { readonly pubkey?: unknown; readonly account?: unknown };
        state.hear(parseRow(pubkey, account), slot);
      }),
    ),
  );
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
  new RpcTrouble("the WebSocket told something that cannot be read", { cause });
