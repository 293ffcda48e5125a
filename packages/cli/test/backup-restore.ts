// A backup that is made while a process writes the store, restored, verified and followed on.
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type FollowedChain, kill } from "./followed-chain.ts";
import { until } from "./until.ts";

export interface BackupTrial {
  readonly chain: FollowedChain;
  /** Makes a backup of the written store and restores it; the URL of what is restored. */
  readonly backUpAndRestore: () => Promise<string>;
  /** URL of a store that is filled slot by slot, to compare the restored one with. */
  readonly clean: string;
}

/** Slots that are finalized before the backup is made, and after it. */
const SLOTS = 5;
/** Between two slots, so that the chain stays short on a slow machine. */
const PAUSE_MS = 100;

/** The restored store is a complete slot of the chain, row for row, and reaches the chain's end from there. */
export const expectRestores = async ({ chain, backUpAndRestore, clean }: BackupTrial): Promise<void> => {
  const { simulation, upstream } = chain;
  const writer = chain.follow();
  await until(() => upstream.subscribers === 1);
  const done = new AbortController();
  const emit = async (): Promise<void> => {
    while (!done.signal.aborted) {
      upstream.emit(simulation.next());
      await sleep(PAUSE_MS);
    }
  };
  const emitting = emit();
  const isBeyond = (slot: number) => async (): Promise<boolean> => (await chain.finalizedSlot()) > slot;
  await until(isBeyond(simulation.genesis.slot + SLOTS));
  const before = await chain.finalizedSlot();
  const restored = chain.restoredTo(await backUpAndRestore(), clean);
  const after = await chain.finalizedSlot();
  await until(isBeyond(after + SLOTS));
  done.abort();
  await emitting;
  upstream.emit(simulation.settle());
  await until(async () => (await chain.finalizedSlot()) === simulation.finalized);
  await kill(writer);
  const slot = await restored.finalizedSlot();
  expect({ before, slot, after, isBetween: slot >= before && slot <= after }).toMatchObject({
    isBetween: true,
  });
  await restored.expectCleanStore();
  const following = restored.follow();
  await until(async () => (await restored.finalizedSlot()) === simulation.finalized);
  await kill(following);
  await restored.expectCleanStore();
};
