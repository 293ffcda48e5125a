import { decodeAddress } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { parseRow } from "./account-row.ts";
import { clockAddress, FollowPlan } from "./follow-plan.ts";
import { FollowState } from "./follow-state.ts";
import { pendingBytesMax } from "./limits.ts";

const stateOf = (slot: number | null): FollowState =>
  new FollowState(
    new FollowPlan({ programs: [], accounts: [], mints: [], trees: [] }),
    {
      watermark: slot === null ? null : { slot, blockhash: null },
      lacking: null,
      readAccounts: async function* () {},
      readTreeSlot: async () => 0,
    },
    "node",
  );

const data = new Uint8Array(16 * 1024 * 1024);

const hear = (state: FollowState, slot: number): void => {
  state.waitWith({
    address: decodeAddress(clockAddress),
    programOwner: decodeAddress(clockAddress),
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
    data,
    slot,
    writeVersion: 0,
  });
};

test("what waits is bounded where it comes in, and given up with a reason", () => {
  const state = stateOf(1);
  const reasons: string[] = [];
  state.onRollBack = (reason) => reasons.push(reason);
  let slot = 2;
  for (; !state.mustRollBack; slot += 1) hear(state, slot);
  expect(state.pending.bytes).toBeLessThanOrEqual(pendingBytesMax() + data.length);
  const { size } = state.pending;
  // Until it is rolled back nothing more comes in, and nothing is reported twice.
  for (let more = 0; more < 100; more += 1) hear(state, slot + more);
  expect([state.pending.size, reasons.length, state.rollbacks]).toEqual([size, 1, 1]);
  expect(reasons[0]).toContain("more than are kept");
  state.pending.take(slot);
  expect([state.pending.size, state.pending.bytes, state.pending.isFull]).toEqual([0, 0, false]);
});

test("a node far behind what it reported is taken at its word, down to what is final", () => {
  const state = stateOf(1_000);
  state.assertWithin(1_000);
  state.line.noteReported(1_000_000_000);
  expect(() => state.assertWithin(1_200)).toThrow("the node is at slot 1200, far behind slot 1000000000");
  expect([state.mustRollBack, state.rollbacks]).toEqual([true, 1]);
  state.line.rollBackTo(state.finalSlot);
  state.assertWithin(1_200);
  const stored = stateOf(1_000_000_000);
  expect(() => stored.assertWithin(1_200)).toThrow("of the store");
  expect(stored.mustRollBack).toBe(false);
});

test("while a store is filled, what is reported next to does not wait", () => {
  const state = stateOf(null);
  const account = { lamports: 1, owner: clockAddress, data: ["", "base64"], executable: false, rentEpoch: 0 };
  expect(state.hear(parseRow(clockAddress, account), 5)).toBe(5);
  expect([state.pending.size, state.known.size]).toEqual([0, 0]);
});
