import type { RpcState } from "@lamplight/sources";
import { expect, test } from "vitest";
import { rpcStatus } from "./follow-rpc-status.ts";

const state: RpcState = {
  mode: "listening",
  nodeSlot: 9,
  rootSlot: 8,
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
