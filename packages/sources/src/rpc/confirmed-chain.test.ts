import { decodeAddress } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { clockAddress, FollowPlan } from "./follow-plan.ts";
import { pendingBytesMax } from "./limits.ts";
import { ConfirmedChain } from "./confirmed-chain.ts";

const data = new Uint8Array(16 * 1024 * 1024);

test("what waits is bounded where it comes in, and given up with a reason", () => {
  const reasons: string[] = [];
  const chain = new ConfirmedChain({
    plan: new FollowPlan({ programs: [], accounts: [], mints: [], trees: [] }),
    url: "node",
    slot: 1,
    onFull: (reason) => reasons.push(reason),
  });
  const add = (slot: number): void =>
    chain.addAccount({
      address: decodeAddress(clockAddress),
      programOwner: decodeAddress(clockAddress),
      lamports: 1n,
      executable: false,
      rentEpoch: 0n,
      data,
      slot,
      writeVersion: 0,
    });
  let slot = 2;
  for (; reasons.length === 0; slot += 1) add(slot);
  expect(chain.pending.bytes).toBeLessThanOrEqual(pendingBytesMax() + data.length);
  const { size } = chain.pending;
  // Until it is rolled back nothing more comes in, and nothing is reported twice.
  for (let more = 0; more < 100; more += 1) add(slot + more);
  expect([chain.pending.size, reasons.length]).toEqual([size, 1]);
  expect(reasons[0]).toContain("more than are kept");
});
