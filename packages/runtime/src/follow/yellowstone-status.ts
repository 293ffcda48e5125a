import {
  BEHIND_SLOTS_MAX,
  type Consensus,
  type FollowFacts,
  judgeFollowing,
  type LiveStatus,
  type Slot,
  slotsBehind,
} from "@lamplight/core";
import type { FollowerState, ForkOverlay } from "@lamplight/indexer";
import type { YellowstoneState } from "@lamplight/sources/yellowstone";
import { type CoverageState, coverageDetail } from "./coverage-steps.ts";
import type { FollowTimes } from "./follow-clocks.ts";
import type { RepairCounts } from "./gap-repairer.ts";
import {
  coverageSamples,
  overlaySamples,
  secondsOf,
  secondsSince,
  slotsPerSecondOf,
  treeSamples,
} from "./follow-metrics.ts";
import type { Sample } from "./connected-source.ts";
import type { TreesState } from "./tree-filling.ts";

export interface YellowstoneStates {
  readonly overlay: ForkOverlay;
  readonly follower: FollowerState;
  readonly source: YellowstoneState;
  readonly times: FollowTimes;
  /** Counts the repairs by an RPC node that fills gaps; null = there is none. */
  readonly repairs: RepairCounts | null;
  /** Null = not known. */
  readonly consensus: Consensus | null;
  /** Programs that are being added or removed. */
  readonly changes: CoverageState;
  readonly trees: TreesState;
}

/**
 * Ready: connected to a server that reports new slots of the chain, close to it, within bounds, and no slot missing between
 * the finalized slot and what the chain agreed on. The server itself must not be far behind the store.
 */
export const yellowstoneStatus = (
  states: YellowstoneStates,
  storeProblem: FollowFacts["storeProblem"],
): LiveStatus => {
  const { overlay, follower, source, times, consensus, changes } = states;
  const { finalizedSlot, confirmedSlot, processedSlot } = overlay.state;
  const { gap } = follower;
  const { isReady, status, behindSlots } = judgeFollowing({
    ...times,
    storeProblem,
    isStalled: overlay.isStalled,
    isFilling: false,
    hasGap: gap !== null,
    isConnected: source.connected,
    isSourceBehind: isSourceBehind(states),
    isRescanOverdue: false,
    isPolling: false,
    word: "following",
  });
  const { newestSlot: sourceSlot, replayRefused } = source;
  const slots = { finalizedSlot, confirmedSlot, processedSlot, sourceSlot, behindSlots };
  return {
    isReady,
    read: times.read,
    detail: {
      status,
      consensus,
      ...slots,
      secondsSinceSlot: secondsOf(times.source),
      slotsPerSecond: slotsPerSecondOf(times),
      gap: gap === null ? null : { finalizedSlot: gap.finalizedSlot, missingSlot: gap.missing },
      replayRefused,
      ...coverageDetail(changes),
    },
  };
};

/** Everything that such a server reports is in the store already. */
export const isSourceBehind = ({ overlay, source }: Pick<YellowstoneStates, "overlay" | "source">): boolean =>
  source.newestSlot !== null && source.newestSlot + BEHIND_SLOTS_MAX < overlay.state.finalizedSlot;

export const yellowstoneSamples = ({
  overlay,
  follower,
  source,
  times,
  repairs,
  changes,
  trees,
}: YellowstoneStates): readonly Sample[] => {
  const { processedSlot, confirmedSlot, finalizedSlot } = overlay.state;
  const lag = (slot: Slot, commitment: string): Sample => [
    "lag_slots",
    "gauge",
    slotsBehind(times, source.connected, slot) ?? NaN,
    { source: "yellowstone", commitment },
  ];
  return [
    ...overlaySamples(overlay),
    ["source_slot", "gauge", source.newestSlot ?? NaN, { source: "yellowstone" }],
    lag(processedSlot, "processed"),
    lag(confirmedSlot, "confirmed"),
    lag(finalizedSlot, "finalized"),
    ["connected", "gauge", source.connected ? 1 : 0],
    ["message_age_seconds", "gauge", secondsSince(source.lastMessageMs)],
    ["slots_per_second", "gauge", times.slotsPerSecond],
    ["slot_age_seconds", "gauge", times.source.silentSeconds ?? NaN],
    ["update_age_seconds", "gauge", secondsSince(source.lastReportedMs)],
    ["messages_total", "counter", source.messages],
    ["connections_total", "counter", source.connections],
    ["queued_events", "gauge", source.queuedEvents],
    ["gap", "gauge", follower.gap === null ? 0 : 1],
    ["gaps_total", "counter", follower.gaps],
    ["gap_repairs_total", "counter", repairs?.repaired ?? 0],
    ["gap_repair_failures_total", "counter", repairs?.failed ?? 0],
    ...coverageSamples(changes),
    ...treeSamples(trees),
    ["overflows_total", "counter", follower.overflows],
    ["staged_slots", "gauge", follower.stagedSlots],
    ["staged_versions", "gauge", follower.stagedVersions],
    ["staged_bytes", "gauge", follower.stagedBytes],
    ["dead_slots_total", "counter", follower.deadSlots],
    ["replaced_slots_total", "counter", follower.replacedSlots],
    ["late_updates_total", "counter", follower.lateUpdates],
  ];
};

/** Progress lines: slots, rates, and the time until a follower that is behind has caught up. */
export class YellowstoneProgress {
  #last: { readonly atMs: number; readonly messages: number; readonly slot: Slot } | null = null;

  line({ overlay, source, times }: YellowstoneStates, atMs: number = performance.now()): string {
    const { finalizedSlot, confirmedSlot, processedSlot: slot } = overlay.state;
    const { messages, queuedEvents } = source;
    const seconds = this.#last === null ? 0 : (atMs - this.#last.atMs) / 1000;
    const perSecond = (now: number, before: number): number => (seconds > 0 ? (now - before) / seconds : 0);
    const rate = Math.round(perSecond(messages, this.#last?.messages ?? messages));
    const slotRate = perSecond(slot, this.#last?.slot ?? slot);
    this.#last = { atMs, messages, slot };
    return (
      `processed ${slot}${behind(slotsBehind(times, source.connected, slot), slotRate - times.slotsPerSecond)}, confirmed ${confirmedSlot}, finalized ${finalizedSlot}; ` +
      `${messages} messages, ${rate} a second, ${queuedEvents} waiting`
    );
  }
}

/** Fewer slots than this are slots that the stream is still sending. */
const BEHIND_SLOTS_TOLD = 3;

/** @param gained - slots a second by which the distance becomes smaller */
const behind = (slots: number | null, gained: number): string => {
  if (slots === null) return " (slots behind unknown)";
  if (slots < BEHIND_SLOTS_TOLD) return "";
  const eta = gained > 0 ? `, caught up in about ${Math.ceil(slots / gained)} s` : "";
  return ` (${slots} slots behind${eta})`;
};
