// Random faults and calls of `RpcChaos`, and the states that it compares.
import { encodeAddress } from "@lamplight/codecs";
import type { Account, IndexStore } from "@lamplight/core";
import { ChainSimulation, Random } from "@lamplight/devchain";
import type { RpcFaults } from "@lamplight/devchain/upstream";
import { type Call, randomCall } from "./random-call.ts";

export const clock = "SysvarC1ock11111111111111111111111111111111";

/** A call whose answer hangs neither on when something was seen nor on what has ended. */
export const callOfTheLiving = (random: Random, simulation: ChainSimulation): Call => {
  for (;;) {
    const call = randomCall(random, simulation);
    if (methodsOfTheLiving.has(call.method)) return call;
  }
};

const methodsOfTheLiving: ReadonlySet<string> = new Set([
  "getAccountInfo",
  "getTokenAccountsByDelegate",
  "getLargestAccounts",
  "getTokenSupply",
]);

export const randomFaults = (random: Random): RpcFaults => {
  const some = (max: number): number => (random.percent(50) ? random.below(max) : 0);
  return {
    limited: some(10),
    serverError: some(10),
    reset: some(8),
    truncated: some(8),
    slow: some(30),
    stale: some(25),
    incomplete: some(20),
    missing: some(15),
    repeated: some(20),
    late: some(20),
    skipped: some(10),
    cut: some(12),
    far: some(5),
  };
};

export const contentOf = ({ lamports, programOwner, executable, rentEpoch, data }: Account): string =>
  `${lamports} ${encodeAddress(programOwner)} ${executable} ${rentEpoch} ${Buffer.from(data).toString("base64")}`;

/**
 * Living accounts but for the clock, and compressed assets. Other assets also lean on accounts that have ended, and on
 * which was written last: a node does not report all of that.
 */
export const lastStateOf = async (store: IndexStore): Promise<readonly string[]> => {
  const assets = await store.readAssetPage(0, 1000);
  const states = await store.readAccountPage(null, 1000);
  const accounts = states
    .map(({ current }) => current)
    .filter(({ lamports, address }) => lamports > 0n && encodeAddress(address) !== clock);
  return [
    ...accounts.map((account) => `${encodeAddress(account.address)} ${contentOf(account)}`),
    ...assets
      .filter(({ document }) => document.includes('"compressed":true'))
      .map(({ document, createdSlot, updatedSlot }) => `${document} ${createdSlot} ${updatedSlot}`),
  ].toSorted();
};
