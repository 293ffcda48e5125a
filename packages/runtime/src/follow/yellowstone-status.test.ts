import type { FollowerState, ForkOverlay } from "@lamplight/indexer";
import type { YellowstoneState } from "@lamplight/sources/yellowstone";
import { describe, expect, test } from "vitest";
import { YellowstoneProgress, yellowstoneSamples, yellowstoneStatus } from "./yellowstone-status.ts";

const statesOf = ({
  slot = 1000,
  newestSlot = 1001 as number | null,
  silentSeconds = 0,
  messages = 0,
  isStalled = false,
  isConnected = true,
  gap = null as FollowerState["gap"],
}) => ({
  overlay: {
    isStalled,
    state: { processedSlot: slot, confirmedSlot: slot - 1, finalizedSlot: slot - 32 },
    commitStats: { commits: 0, versions: 0, totalMs: 0, lastMs: 0 },
  } as ForkOverlay,
  follower: { gap } as FollowerState,
  source: { newestSlot, messages, queuedEvents: 7, connected: isConnected } as YellowstoneState,
  times: {
    source: { slot: newestSlot, silentSeconds: newestSlot === null ? null : silentSeconds },
    read: { slot, silentSeconds: 0 },
    maxStaleSeconds: 60,
    slotsPerSecond: 2.5,
  },
  consensus: "towerbft" as const,
  repairs: null,
  changes: { filling: [], dropping: [] },
  trees: { filling: 0, transactions: 0 },
});

describe("yellowstoneStatus", () => {
  test.each([
    ["following", {}],
    ["following", { newestSlot: 1128 }],
    ["behind", { newestSlot: 1129 }],
    ["following", { newestSlot: 840 }],
    ["source behind", { newestSlot: 839 }],
    ["source behind", { newestSlot: 50 }],
    ["disconnected", { newestSlot: 50, isConnected: false }],
    ["disconnected", { newestSlot: 1129, isConnected: false }],
    ["gap", { gap: { finalizedSlot: 968, missing: 970 }, isConnected: false }],
    ["waiting for a slot", { newestSlot: null }],
    ["silent", { silentSeconds: 61 }],
    ["stalled", { isStalled: true, gap: { finalizedSlot: 968, missing: 970 } }],
  ])("is %s with %j, and ready only when following", (status, state) => {
    expect(yellowstoneStatus(statesOf(state), null)).toMatchObject({
      isReady: status === "following",
      detail: { status, finalizedSlot: 968, consensus: "towerbft", slotsPerSecond: 2.5 },
    });
  });
});

test("the store's problem comes first, and the lag grows by the clock while the server is away", () => {
  const states = statesOf({ newestSlot: 1001, silentSeconds: 20, isConnected: false });
  expect(yellowstoneStatus(states, "store full")).toMatchObject({
    isReady: false,
    detail: { status: "store full", behindSlots: 51, secondsSinceSlot: 20 },
  });
  const lag = (from: typeof states) => yellowstoneSamples(from).filter(([name]) => name === "lag_slots");
  expect(lag(states).map(([, , value]) => value)).toEqual([51, 52, 83]);
  expect(lag(statesOf({ newestSlot: null })).map(([, , value]) => value)).toEqual([NaN, NaN, NaN]);
});

describe("YellowstoneProgress", () => {
  test("reports rates since the last line, and when it will be there", () => {
    const progress = new YellowstoneProgress();
    expect(progress.line(statesOf({ newestSlot: 1600, messages: 50 }), 0)).toBe(
      "processed 1000 (600 slots behind), confirmed 999, finalized 968; 50 messages, 0 a second, 7 waiting",
    );
    expect(progress.line(statesOf({ slot: 1225, newestSlot: 1625, messages: 90_050 }), 10_000)).toBe(
      "processed 1225 (400 slots behind, caught up in about 20 s), confirmed 1224, finalized 1193; 90050 messages, 9000 a second, 7 waiting",
    );
    expect(progress.line(statesOf({ slot: 1250, newestSlot: 1251, messages: 100_050 }), 20_000)).toBe(
      "processed 1250, confirmed 1249, finalized 1218; 100050 messages, 1000 a second, 7 waiting",
    );
  });
});
