import { type FollowFacts, judgeFollowing, type LiveStatus, type Slot, slotsBehind } from "@lamplight/core";
import type { ForkOverlay } from "@lamplight/indexer";
import type { RpcState } from "@lamplight/sources/rpc";
import type { FollowTimes } from "./follow-clocks.ts";
import { type CoverageState, coverageDetail } from "./coverage-steps.ts";
import { overlaySamples, secondsOf, secondsSince, slotsPerSecondOf } from "./follow-metrics.ts";
import type { Sample } from "./connected-source.ts";

/**
 * Ready: the node reports new slots, the store is filled and within bounds, what can be read is close to the node where
 * it is listened to, and the last full rescan is recent: `ageSecondsMax` bounds how long a closed account may stay visible.
 */
export const rpcStatus = (
  state: RpcState,
  overlay: ForkOverlay | null,
  times: FollowTimes,
  { changes, ...facts }: Pick<FollowFacts, "storeProblem" | "hasGap"> & { readonly changes: CoverageState },
): LiveStatus => {
  const { finalizedSlot, confirmedSlot, processedSlot } = overlay?.state ?? nothing;
  const age = secondsSince(state.rescanStartedMs);
  const { isReady, status, behindSlots } = judgeFollowing({
    ...times,
    ...facts,
    isStalled: overlay?.isStalled === true,
    isFilling: overlay === null || state.mode === "filling",
    isConnected: isConnected(state),
    isSourceBehind: false,
    isRescanOverdue: !(age * 1000 <= state.rescanAgeMsMax),
    isPolling: state.mode === "polling",
    word: state.mode === "polling" ? "polling" : "listening",
  });
  const rescan = {
    slot: state.rescanSlot,
    ageSeconds: Number.isNaN(age) ? null : Math.round(age),
    ageSecondsMax: state.rescanAgeMsMax / 1000,
    // A node does not list the accounts of this program. Only known accounts are read, so a new account may be
    // missed.
    refusedScans: state.refusedScans,
  };
  const slots = { finalizedSlot, confirmedSlot, processedSlot, nodeSlot: state.nodeSlot, behindSlots };
  return {
    isReady,
    read: times.read,
    detail: {
      status,
      consensus: state.consensus,
      ...slots,
      secondsSinceSlot: secondsOf(times.source),
      slotsPerSecond: slotsPerSecondOf(times),
      rescan,
      ...coverageDetail(changes),
    },
  };
};

/**
 * The slot that shows whether the node is in sync with the chain. With subscriptions it is the newest confirmed one,
 * because processed slots also arrive while the chain confirms nothing. Null while none is known.
 */
export const newestRpcSlot = ({ mode, receivedSlot, nodeSlot }: RpcState): Slot | null =>
  (mode === "polling" ? nodeSlot : receivedSlot) || null;

const isConnected = ({ mode }: RpcState): boolean => mode === "listening" || mode === "polling";

const nothing = { finalizedSlot: null, confirmedSlot: null, processedSlot: null };

const lag = (slots: number | null, commitment: string): Sample => [
  "lag_slots",
  "gauge",
  slots ?? NaN,
  { source: "rpc", commitment },
];

export const rpcSamples = (
  state: RpcState,
  overlay: ForkOverlay | null,
  times: FollowTimes,
): readonly Sample[] => [
  ...(overlay === null ? [] : overlaySamples(overlay)),
  ["source_slot", "gauge", state.nodeSlot || NaN, { source: "rpc" }],
  lag(slotsBehind(times, isConnected(state), overlay?.state.confirmedSlot ?? null), "confirmed"),
  lag(slotsBehind(times, isConnected(state), overlay?.state.finalizedSlot ?? null), "finalized"),
  ["slots_per_second", "gauge", times.slotsPerSecond],
  ["slot_age_seconds", "gauge", times.source.silentSeconds ?? NaN],
  ["connected", "gauge", isConnected(state) ? 1 : 0],
  ["polling", "gauge", state.mode === "polling" ? 1 : 0],
  ["message_age_seconds", "gauge", secondsSince(state.lastMessageMs)],
  ["messages_total", "counter", state.notifications],
  ["connections_total", "counter", state.connections],
  ["queued_events", "gauge", state.pendingVersions],
  ["slots_awaiting_finality", "gauge", state.openSlots],
  ["known_accounts", "gauge", state.knownAccounts],
  ["calls_total", "counter", state.calls],
  ["call_retries_total", "counter", state.retries],
  ["waiting_calls", "gauge", state.waitingCalls],
  ["missed_slots_total", "counter", state.missedSlots],
  ["rollbacks_total", "counter", state.rollbacks],
  ["finality_checked", "gauge", state.checksBlocks ? 1 : 0],
  ["refused_scans", "gauge", state.refusedScans],
  ["rescan_slot", "gauge", state.rescanSlot],
  ["rescan_age_seconds", "gauge", secondsSince(state.rescanStartedMs)],
  ["rescan_age_max_seconds", "gauge", state.rescanAgeMsMax / 1000],
];

export const rpcProgress = (state: RpcState, overlay: ForkOverlay | null): string => {
  const { mode, nodeSlot, knownAccounts, pendingVersions, calls, retries } = state;
  const at =
    overlay === null
      ? ""
      : `, confirmed ${overlay.state.confirmedSlot}, finalized ${overlay.state.finalizedSlot}`;
  return `${mode}: node at ${nodeSlot}${at}; ${knownAccounts} accounts, ${pendingVersions} waiting, ${calls} calls, ${retries} retries`;
};
