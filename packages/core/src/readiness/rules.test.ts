import { describe, expect, test } from "vitest";

import { type FollowFacts, judgeFollowing, judgeServing, type ServingFacts, slotsBehind } from "./rules.ts";
import { SlotClock } from "./slot-clock.ts";

const following: FollowFacts = {
  storeProblem: null,
  isStalled: false,
  isFilling: false,
  hasGap: false,
  isConnected: true,
  source: { slot: 1001, silentSeconds: 0 },
  read: { slot: 1000, silentSeconds: 0 },
  isSourceBehind: false,
  isRescanOverdue: false,
  isPolling: false,
  word: "following",
  maxStaleSeconds: 60,
  slotsPerSecond: 2.5,
};

const source = (slot: number | null, silentSeconds: number | null): Partial<FollowFacts> => ({
  source: { slot, silentSeconds },
});

describe("a process that follows a chain", () => {
  test.each<[status: string, behindSlots: number | null, facts: Partial<FollowFacts>]>([
    ["following", 1, {}],
    ["store full", 1, { storeProblem: "store full", isStalled: true }],
    ["store unreachable", 1, { storeProblem: "store unreachable" }],
    ["stalled", 1, { isStalled: true, hasGap: true }],
    ["filling", null, { isFilling: true, isConnected: false, read: { slot: null, silentSeconds: null } }],
    ["gap", 1, { hasGap: true, isConnected: false }],
    ["disconnected", 1, { isConnected: false }],
    ["disconnected", 26, { isConnected: false, ...source(1001, 10) }],
    ["disconnected", 1501, { isConnected: false, ...source(1001, 600) }],
    ["disconnected", 3001, { isConnected: false, slotsPerSecond: 5, ...source(1001, 600) }],
    ["disconnected", null, { isConnected: false, ...source(null, null) }],
    ["waiting for a slot", null, source(null, null)],
    ["source behind", null, { isSourceBehind: true, ...source(800, 0) }],
    ["following", 1, source(1001, 5)],
    ["following", 26, source(1001, 10)],
    ["silent", 153, source(1001, 61)],
    ["following", 1, { read: { slot: 1000, silentSeconds: 60 } }],
    ["stale", 1, { read: { slot: 1000, silentSeconds: 61 } }],
    ["silent", 28, { maxStaleSeconds: 10, ...source(1001, 11) }],
    ["rescan overdue", 1, { isRescanOverdue: true }],
    ["following", 128, source(1128, 0)],
    ["behind", 129, source(1129, 0)],
    ["polling", 129, { isPolling: true, word: "polling", ...source(1129, 0) }],
    ["silent", 280, { isPolling: true, word: "polling", ...source(1129, 60.5) }],
  ])("is %s and %s slots behind with %j", (status, behindSlots, facts) => {
    const verdict = judgeFollowing({ ...following, ...facts });
    const isReady = status === "following" || status === "polling";
    expect(verdict).toEqual({ isReady, status, behindSlots });
  });

  test("knows no lag to a slot that is far above what the source reports", () => {
    expect(slotsBehind({ ...following, source: { slot: 800, silentSeconds: 0 } }, true, 1000)).toBeNull();
    expect(slotsBehind({ ...following, source: { slot: 900, silentSeconds: 0 } }, true, 1000)).toBe(0);
    expect(slotsBehind({ ...following, source: { slot: 900, silentSeconds: 0 } }, true, null)).toBeNull();
  });
});

const serving: ServingFacts = {
  isStopping: false,
  storeTrouble: null,
  follow: null,
  read: { slot: 1000, silentSeconds: 1e6 },
  maxStaleSeconds: null,
  isSearchRefused: false,
};

describe("a process that serves", () => {
  test.each<[status: string, reason: string | null, facts: Partial<ServingFacts>]>([
    ["ready", null, {}],
    ["stopping", null, { isStopping: true, storeTrouble: "loading" }],
    ["loading", null, { storeTrouble: "loading" }],
    ["unreachable", "the store cannot be reached", { storeTrouble: "unreachable" }],
    ["damaged", "the store is damaged", { storeTrouble: "damaged" }],
    ["unreadable", null, { storeTrouble: "unreadable" }],
    ["behind", "gap", { follow: { isReady: false, status: "gap" } }],
    ["ready", null, { follow: { isReady: true, status: "following" } }],
    ["behind", "stale", { maxStaleSeconds: 10 }],
    ["behind", "stale", { maxStaleSeconds: 10, follow: { isReady: true, status: "shared" } }],
    ["ready", null, { maxStaleSeconds: 10, read: { slot: 1000, silentSeconds: 10 } }],
    ["ready", null, { maxStaleSeconds: 10, read: { slot: null, silentSeconds: null } }],
    ["loading", "search is refused until its index is filled", { isSearchRefused: true }],
  ])("is %s (%s) with %j", (status, reason, facts) => {
    expect(judgeServing({ ...serving, ...facts })).toEqual({ isReady: status === "ready", status, reason });
  });
});

describe("SlotClock", () => {
  test("counts from the last advance of the newest slot, which a replay does not reset", () => {
    let nowMs = 0;
    const clock = new SlotClock(() => nowMs);
    expect(clock.newest).toEqual({ slot: null, silentSeconds: null });
    clock.note(null);
    expect(clock.newest.slot).toBeNull();
    clock.note(30_000);
    nowMs += 7000;
    for (const replayed of [29_990, 29_999, 30_000, 10_001, null]) clock.note(replayed);
    expect(clock.newest).toEqual({ slot: 30_000, silentSeconds: 7 });
    clock.note(30_001);
    expect(clock.newest).toEqual({ slot: 30_001, silentSeconds: 0 });
  });

  test("starts again at a slot so far below that no replay reports it", () => {
    const clock = new SlotClock(() => 0);
    clock.note(9_000_000);
    clock.note(500);
    expect(clock.newest.slot).toBe(500);
  });
});
