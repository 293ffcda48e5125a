import type { ForkOverlay } from "@lamplight/indexer";
import type { LiveStatus } from "@lamplight/server";
import type { RpcState } from "@lamplight/sources";
import { overlaySamples, secondsSince } from "./follow-metrics.ts";
import type { Sample } from "./following.ts";

/** A node that says nothing for so long is not followed any more. */
const SILENCE_SECONDS_MAX = 60;

/** Slots between what the node has confirmed and what can be read, beyond which readers hear of the past: what nodes call unhealthy. */
const BEHIND_SLOTS_MAX = 128;

/**
 * Ready: the node answers, the store is filled and within bounds, what can be read is close to the node where it is
 * listened to, and the census is young enough: `ageSecondsMax` is the bound of how long a closed account may stand.
 */
export const rpcStatus = (state: RpcState, overlay: ForkOverlay | null): LiveStatus => {
  const status = wordOf(state, overlay);
  const { rootedSlot, confirmedSlot, processedSlot } = overlay?.state ?? nothing;
  const age = secondsSince(state.censusStartedMs);
  const census = {
    slot: state.censusSlot,
    ageSeconds: Number.isNaN(age) ? null : Math.round(age),
    ageSecondsMax: state.censusAgeMsMax / 1000,
    // What a node does not list is read as far as it is known: a new account of it may be missed.
    refusedScans: state.refusedScans,
  };
  return {
    isReady: status === "listening" || status === "polling",
    detail: {
      status,
      rootedSlot,
      confirmedSlot,
      processedSlot,
      nodeSlot: state.nodeSlot,
      behindSlots: overlay === null ? null : behindSlots(state, overlay),
      census,
    },
  };
};

/** Confirmed against confirmed: where the chain confirms nothing for a while, nobody is behind. */
const behindSlots = ({ heardSlot }: RpcState, { state }: ForkOverlay): number =>
  Math.max(0, heardSlot - state.confirmedSlot);

const nothing = { rootedSlot: null, confirmedSlot: null, processedSlot: null };

const wordOf = (state: RpcState, overlay: ForkOverlay | null): string => {
  if (overlay?.isStalled === true) return "stalled";
  if (overlay === null || state.mode === "filling") return "filling";
  if (state.mode === "connecting") return "disconnected";
  if (!(secondsSince(state.lastMessageMs) <= SILENCE_SECONDS_MAX)) return "silent";
  if (!(secondsSince(state.censusStartedMs) * 1000 <= state.censusAgeMsMax)) return "census overdue";
  // Without being told, it is a round behind: the census says of what age.
  if (state.mode === "listening" && behindSlots(state, overlay) > BEHIND_SLOTS_MAX) return "behind";
  return state.mode;
};

const rooted = (overlay: ForkOverlay | null): number => overlay?.state.rootedSlot ?? 0;

export const rpcSamples = (state: RpcState, overlay: ForkOverlay | null): readonly Sample[] => [
  ...(overlay === null ? [] : overlaySamples(overlay)),
  ["source_slot", "gauge", state.nodeSlot, 'source="rpc"'],
  ["lag_slots", "gauge", Math.max(0, state.nodeSlot - state.toldSlot), 'source="rpc",commitment="confirmed"'],
  [
    "lag_slots",
    "gauge",
    Math.max(0, state.rootSlot - rooted(overlay)),
    'source="rpc",commitment="finalized"',
  ],
  ["connected", "gauge", state.mode === "listening" || state.mode === "polling" ? 1 : 0],
  ["polling", "gauge", state.mode === "polling" ? 1 : 0],
  ["seconds_since_message", "gauge", secondsSince(state.lastMessageMs)],
  ["messages_total", "counter", state.notifications],
  ["connections_total", "counter", state.connections],
  ["queued_events", "gauge", state.pendingVersions],
  ["unfinal_slots", "gauge", state.openSlots],
  ["known_accounts", "gauge", state.knownAccounts],
  ["calls_total", "counter", state.calls],
  ["call_retries_total", "counter", state.retries],
  ["waiting_calls", "gauge", state.waitingCalls],
  ["rewinds_total", "counter", state.rewinds],
  ["finality_checked", "gauge", state.checksBlocks ? 1 : 0],
  ["refused_scans", "gauge", state.refusedScans],
  ["census_slot", "gauge", state.censusSlot],
  ["census_age_seconds", "gauge", secondsSince(state.censusStartedMs)],
  ["census_age_seconds_max", "gauge", state.censusAgeMsMax / 1000],
];

export const rpcProgress = (state: RpcState, overlay: ForkOverlay | null): string => {
  const { mode, nodeSlot, knownAccounts, pendingVersions, calls, retries } = state;
  const at =
    overlay === null ? "" : `, confirmed ${overlay.state.confirmedSlot}, rooted ${overlay.state.rootedSlot}`;
  return `${mode}: node at ${nodeSlot}${at}; ${knownAccounts} accounts, ${pendingVersions} waiting, ${calls} calls, ${retries} retries`;
};
