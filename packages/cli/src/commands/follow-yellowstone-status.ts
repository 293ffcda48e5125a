import type { Slot } from "@lamplight/core";
import type { FollowerState, ForkOverlay } from "@lamplight/indexer";
import type { LiveStatus } from "@lamplight/server";
import type { YellowstoneState } from "@lamplight/sources";
import { overlaySamples, secondsSince } from "./follow-metrics.ts";
import type { Sample } from "./following.ts";

export interface YellowstoneStates {
  readonly overlay: ForkOverlay;
  readonly follower: FollowerState;
  readonly source: YellowstoneState;
}

/** Slots between what is told and what can be read, beyond which readers hear of the past: what nodes call unhealthy. */
const BEHIND_SLOTS_MAX = 128;

/**
 * Ready: connected to a server that tells of the chain, close to it, within bounds, and no slot missing between the root
 * and what the chain agreed on; and that server is not itself far behind the store.
 */
export const yellowstoneStatus = (states: YellowstoneStates): LiveStatus => {
  const { rootedSlot, confirmedSlot, processedSlot } = states.overlay.state;
  const { gap } = states.follower;
  const { newestSlot: sourceSlot, replayRefused } = states.source;
  const status = wordOf(states);
  return {
    isReady: status === "following",
    detail: { status, rootedSlot, confirmedSlot, processedSlot, sourceSlot, gap, replayRefused },
  };
};

const wordOf = ({ overlay, follower, source }: YellowstoneStates): string => {
  if (overlay.isStalled) return "stalled";
  if (follower.gap !== null) return "gap";
  if (!source.connected) return "disconnected";
  if (isSourceBehind({ overlay, source })) return "source behind";
  return lagOf(source, overlay.state.processedSlot) > BEHIND_SLOTS_MAX ? "behind" : "following";
};

/** All that such a server tells is in the store already: what is new, nobody tells. */
export const isSourceBehind = ({ overlay, source }: Pick<YellowstoneStates, "overlay" | "source">): boolean =>
  source.newestSlot !== null && source.newestSlot + BEHIND_SLOTS_MAX < overlay.state.rootedSlot;

const lagOf = ({ newestSlot }: YellowstoneState, slot: Slot): number =>
  Math.max(0, (newestSlot ?? slot) - slot);

export const yellowstoneSamples = ({ overlay, follower, source }: YellowstoneStates): readonly Sample[] => {
  const { processedSlot, confirmedSlot, rootedSlot } = overlay.state;
  const lag = (slot: Slot, commitment: string): Sample => [
    "lag_slots",
    "gauge",
    lagOf(source, slot),
    `source="yellowstone",commitment="${commitment}"`,
  ];
  return [
    ...overlaySamples(overlay),
    ["source_slot", "gauge", source.newestSlot ?? NaN, 'source="yellowstone"'],
    lag(processedSlot, "processed"),
    lag(confirmedSlot, "confirmed"),
    lag(rootedSlot, "finalized"),
    ["connected", "gauge", source.connected ? 1 : 0],
    ["seconds_since_message", "gauge", secondsSince(source.lastMessageMs)],
    ["seconds_since_update", "gauge", secondsSince(source.lastToldMs)],
    ["messages_total", "counter", source.messages],
    ["connections_total", "counter", source.connections],
    ["queued_events", "gauge", source.queuedEvents],
    ["gap", "gauge", follower.gap === null ? 0 : 1],
    ["gaps_total", "counter", follower.gaps],
    ["overflows_total", "counter", follower.overflows],
    ["staged_slots", "gauge", follower.stagedSlots],
    ["staged_versions", "gauge", follower.stagedVersions],
    ["staged_bytes", "gauge", follower.stagedBytes],
    ["dead_slots_total", "counter", follower.deadSlots],
    ["replaced_slots_total", "counter", follower.replacedSlots],
    ["late_updates_total", "counter", follower.lateUpdates],
  ];
};

/** Lines of progress: where everything is, how fast it moves, and when a follower that is behind will be there. */
export class YellowstoneProgress {
  #last: { readonly atMs: number; readonly messages: number; readonly slot: Slot } | null = null;

  line({ overlay, source }: YellowstoneStates, atMs: number = performance.now()): string {
    const { rootedSlot, confirmedSlot, processedSlot: slot } = overlay.state;
    const { messages, queuedEvents } = source;
    const seconds = this.#last === null ? 0 : (atMs - this.#last.atMs) / 1000;
    const perSecond = (now: number, before: number): number => (seconds > 0 ? (now - before) / seconds : 0);
    const rate = Math.round(perSecond(messages, this.#last?.messages ?? messages));
    const slotRate = perSecond(slot, this.#last?.slot ?? slot);
    this.#last = { atMs, messages, slot };
    return (
      `processed ${slot}${behind(lagOf(source, slot), slotRate)}, confirmed ${confirmedSlot}, rooted ${rootedSlot}; ` +
      `${messages} messages, ${rate} a second, ${queuedEvents} waiting`
    );
  }
}

/** What the chain itself moves on. */
const CHAIN_SLOTS_PER_SECOND = 2.5;
/** Less is the slot that is being told. */
const BEHIND_SLOTS_TOLD = 3;

const behind = (slots: number, slotsPerSecond: number): string => {
  if (slots < BEHIND_SLOTS_TOLD) return "";
  const gained = slotsPerSecond - CHAIN_SLOTS_PER_SECOND;
  const eta = gained > 0 ? `, there in about ${Math.ceil(slots / gained)} s` : "";
  return ` (${slots} slots behind${eta})`;
};
