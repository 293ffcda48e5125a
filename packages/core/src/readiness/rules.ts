import type { Slot } from "../domain/address.ts";
import type { NewestSlot } from "./slot-clock.ts";

// The one place that decides whether a process is ready. Every role collects its facts and asks here.

/** Slots between what the source reports and what can be read, beyond which Solana nodes call themselves unhealthy. */
export const BEHIND_SLOTS_MAX = 128;
/** Default of `maxStaleSeconds` where a chain is followed. */
export const FOLLOWED_STALE_SECONDS_MAX = 60;
/** A connected source may be silent for this long before its chain is assumed to have moved on. */
const SILENT_SECONDS_IGNORED = 5;

/** The facts that a process knows of the source that it follows into a store. */
export interface FollowFacts {
  /** Reason why the store rejects writes; null = it does not. */
  readonly storeProblem: "store full" | "store unreachable" | null;
  /** Too much waits above the root. */
  readonly isStalled: boolean;
  readonly isFilling: boolean;
  /** A slot is missing between the root and what the chain agreed on. */
  readonly hasGap: boolean;
  readonly isConnected: boolean;
  /** Newest slot that the source reported, over all connections. */
  readonly source: NewestSlot;
  /** Newest slot that can be read. */
  readonly read: NewestSlot;
  /** The source reports slots far below the store's root. */
  readonly isSourceBehind: boolean;
  /** Closed accounts may still be shown, since the last full rescan is too old. */
  readonly isRescanOverdue: boolean;
  /** Without notifications, what can be read lags by a round; the age of the rescan bounds that. */
  readonly isPolling: boolean;
  /** The status word when all is well. */
  readonly word: "following" | "listening" | "polling";
  readonly maxStaleSeconds: number;
  /** The slot rate of the chain, as measured. */
  readonly slotsPerSecond: number;
}

/** The reasons why a process that follows a chain is not ready. */
export const followReasons = [
  "store full",
  "store unreachable",
  "stalled",
  "filling",
  "gap",
  "disconnected",
  "waiting for a slot",
  "source behind",
  "silent",
  "stale",
  "rescan overdue",
  "behind",
] as const;

export type FollowReason = (typeof followReasons)[number];

export interface FollowVerdict {
  readonly isReady: boolean;
  readonly status: FollowFacts["word"] | FollowReason;
  /** Slots between the chain and what can be read; null = unknown. */
  readonly behindSlots: number | null;
}

/** The first rule that holds names the status. */
export const judgeFollowing = (facts: FollowFacts): FollowVerdict => {
  const behindSlots = slotsBehind(facts, facts.isConnected, facts.read.slot);
  const { storeProblem } = facts;
  const rules: readonly (readonly [status: FollowReason, holds: boolean])[] = [
    ["store full", storeProblem === "store full"],
    ["store unreachable", storeProblem === "store unreachable"],
    ["stalled", facts.isStalled],
    ["filling", facts.isFilling],
    ["gap", facts.hasGap],
    ["disconnected", !facts.isConnected],
    ["waiting for a slot", facts.source.slot === null],
    ["source behind", facts.isSourceBehind],
    ["silent", isOlder(facts.source, facts.maxStaleSeconds)],
    ["stale", isOlder(facts.read, facts.maxStaleSeconds)],
    ["rescan overdue", facts.isRescanOverdue],
    ["behind", !facts.isPolling && (behindSlots ?? 0) > BEHIND_SLOTS_MAX],
  ];
  const broken = rules.find(([, holds]) => holds);
  return { isReady: broken === undefined, status: broken?.[0] ?? facts.word, behindSlots };
};

/**
 * Slots between the chain and `slot`. Where the source is disconnected or silent, the chain moves on by the clock.
 *
 * @returns null while the chain's slot is unknown: no slot was reported, or only slots far below
 */
export const slotsBehind = (
  { source, slotsPerSecond }: Pick<FollowFacts, "source" | "slotsPerSecond">,
  isConnected: boolean,
  slot: Slot | null,
): number | null => {
  if (source.slot === null || slot === null || source.slot + BEHIND_SLOTS_MAX < slot) return null;
  const seconds = source.silentSeconds ?? 0;
  const isMovingOn = !isConnected || seconds > SILENT_SECONDS_IGNORED;
  return Math.max(0, source.slot + (isMovingOn ? Math.floor(seconds * slotsPerSecond) : 0) - slot);
};

const isOlder = ({ silentSeconds }: NewestSlot, maxSeconds: number): boolean =>
  silentSeconds !== null && silentSeconds > maxSeconds;

/** The reason why the store cannot be read. */
export const storeTroubles = ["loading", "unreachable", "replaced", "damaged", "unreadable"] as const;

export type StoreTrouble = (typeof storeTroubles)[number];

/** State of a serving process. */
export interface ServingFacts {
  readonly isStopping: boolean;
  /** Null = the store can be read. */
  readonly storeTrouble: StoreTrouble | null;
  /** Null = this process knows of no chain that is followed. */
  readonly follow: { readonly isReady: boolean; readonly status: string } | null;
  /** Newest slot that can be read. */
  readonly read: NewestSlot;
  /** Null = the age of the store does not matter. */
  readonly maxStaleSeconds: number | null;
  /** searchAssets is refused until the index in memory is filled or has caught up. */
  readonly isSearchRefused: boolean;
}

export interface ServingVerdict {
  readonly isReady: boolean;
  readonly status: "ready" | "behind" | "stopping" | StoreTrouble;
  /** Reason why it is not ready, where the status does not say it. */
  readonly reason: string | null;
}

/** The first rule that holds decides. */
export const judgeServing = (facts: ServingFacts): ServingVerdict => {
  const { isStopping, storeTrouble, follow, read, maxStaleSeconds, isSearchRefused } = facts;
  if (isStopping) return notReady("stopping");
  if (storeTrouble !== null) return notReady(storeTrouble, troubleReasons[storeTrouble]);
  if (follow?.isReady === false) return notReady("behind", follow.status);
  if (maxStaleSeconds !== null && isOlder(read, maxStaleSeconds)) return notReady("behind", "stale");
  if (isSearchRefused) return notReady("loading", "search is refused until its index is filled");
  return { isReady: true, status: "ready", reason: null };
};

const notReady = (status: ServingVerdict["status"], reason: string | null = null): ServingVerdict => ({
  isReady: false,
  status,
  reason,
});

/** Without the store's name: this page is open to everybody. */
const troubleReasons: Readonly<Record<StoreTrouble, string | null>> = {
  loading: null,
  unreachable: "the store cannot be reached",
  replaced: "the store file was replaced or deleted; restart the server",
  damaged: "the store is damaged",
  unreadable: null,
};
