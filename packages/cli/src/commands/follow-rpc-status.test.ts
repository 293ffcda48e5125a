import type { ForkOverlay } from "@lamplight/indexer";
import type { RpcState } from "@lamplight/sources";
import { expect, test } from "vitest";
import { rpcStatus } from "./follow-rpc-status.ts";

const state: RpcState = {
  mode: "listening",
  nodeSlot: 9,
  rootSlot: 8,
  heardSlot: 9,
  toldSlot: 9,
  openSlots: 1,
  pendingVersions: 0,
  knownAccounts: 3,
  connections: 1,
  notifications: 4,
  calls: 5,
  retries: 0,
  waitingCalls: 0,
  rewinds: 0,
  checksBlocks: true,
  refusedScans: 2,
  lastMessageMs: null,
  censusStartedMs: null,
  censusSlot: 0,
  censusAgeMsMax: 180_000,
};

test("readiness tells how many sets the node does not list", () => {
  expect(rpcStatus(state, null).detail).toMatchObject({ census: { refusedScans: 2, ageSecondsMax: 180 } });
});

const overlay = {
  isStalled: false,
  state: { processedSlot: 1000, confirmedSlot: 1000, rootedSlot: 968 },
} as ForkOverlay;

test.each([
  ["listening", { heardSlot: 1128 }, 128],
  ["behind", { heardSlot: 1129 }, 129],
  ["listening", { heardSlot: 990 }, 0],
  ["listening", { nodeSlot: 5000, heardSlot: 1001 }, 1],
  ["polling", { heardSlot: 1129, mode: "polling" }, 129],
  ["census overdue", { heardSlot: 1129, censusStartedMs: 0 }, 129],
  ["disconnected", { heardSlot: 1129, mode: "connecting" }, 129],
] as const)("is %s with %j, and says how many slots it is behind", (status, told, behindSlots) => {
  const now = Date.now();
  const states: RpcState = { ...state, lastMessageMs: now, censusStartedMs: now, ...told };
  expect(rpcStatus(states, overlay)).toMatchObject({
    isReady: status === "listening" || status === "polling",
    detail: { status, behindSlots },
  });
});
