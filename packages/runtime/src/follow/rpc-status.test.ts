import type { ForkOverlay } from "@lamplight/indexer";
import type { RpcState } from "@lamplight/sources/rpc";
import { expect, test } from "vitest";
import type { FollowTimes } from "./follow-clocks.ts";
import { newestRpcSlot, rpcStatus } from "./rpc-status.ts";

const state: RpcState = {
  mode: "listening",
  consensus: "alpenglow",
  nodeSlot: 9,
  finalizedSlot: 8,
  receivedSlot: 9,
  openSlots: 1,
  pendingVersions: 0,
  knownAccounts: 3,
  connections: 1,
  notifications: 4,
  calls: 5,
  retries: 0,
  waitingCalls: 0,
  rollbacks: 0,
  missedSlots: 0,
  checksBlocks: true,
  refusedScans: 2,
  lastMessageMs: null,
  rescanStartedMs: null,
  rescanSlot: 0,
  rescanAgeMsMax: 180_000,
};

const noTrouble = { storeProblem: null, hasGap: false, changes: { filling: [], dropping: [] } };

const timesOf = (slot: number | null, silentSeconds: number | null = 0): FollowTimes => ({
  source: { slot, silentSeconds: slot === null ? null : silentSeconds },
  read: { slot: 1000, silentSeconds: 0 },
  maxStaleSeconds: 60,
  slotsPerSecond: 2.5,
});

test("readiness reports how many sets the node does not list", () => {
  expect(rpcStatus(state, null, timesOf(null), noTrouble).detail).toMatchObject({
    consensus: "alpenglow",
    slotsPerSecond: 2.5,
    rescan: { refusedScans: 2, ageSecondsMax: 180 },
    behindSlots: null,
  });
});

const overlay = {
  isStalled: false,
  state: { processedSlot: 1000, confirmedSlot: 1000, finalizedSlot: 968 },
} as ForkOverlay;

test.each([
  ["listening", { receivedSlot: 1128 }, 0, 128],
  ["behind", { receivedSlot: 1129 }, 0, 129],
  ["listening", { receivedSlot: 990 }, 0, 0],
  ["listening", { nodeSlot: 5000, receivedSlot: 1001 }, 0, 1],
  ["waiting for a slot", { nodeSlot: 5000, receivedSlot: 0 }, 0, null],
  ["silent", { nodeSlot: 5000, receivedSlot: 1001 }, 61, 153],
  ["polling", { nodeSlot: 1129, receivedSlot: 1001, mode: "polling" }, 0, 129],
  ["rescan overdue", { receivedSlot: 1129, rescanStartedMs: -200_000 }, 0, 129],
  ["disconnected", { receivedSlot: 1129, mode: "connecting" }, 4, 139],
] as const)(
  "is %s with %j, and says how many slots it is behind",
  (status, reported, silent, behindSlots) => {
    const states: RpcState = { ...state, rescanStartedMs: performance.now(), ...reported };
    const times = timesOf(newestRpcSlot(states), silent);
    expect(rpcStatus(states, overlay, times, noTrouble)).toMatchObject({
      isReady: status === "listening" || status === "polling",
      detail: { status, behindSlots },
    });
  },
);

test("is not ready while a slot is missing below what can be read", () => {
  const states: RpcState = { ...state, rescanStartedMs: performance.now() };
  expect(rpcStatus(states, overlay, timesOf(1001), { ...noTrouble, hasGap: true })).toMatchObject({
    isReady: false,
    detail: { status: "gap" },
  });
});
