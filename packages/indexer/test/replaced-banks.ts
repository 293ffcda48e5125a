import {
  commitments,
  type IndexStore,
  type UnfinalizedReader,
  type UnfinalizedWriter,
  type ViewSource,
} from "@lamplight/core";
import { ChainSimulation, Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { ChainFollower } from "../src/follow/chain-follower.ts";
import { createIndexer } from "../src/indexer.ts";
import { ForkOverlay } from "../src/overlay/fork-overlay.ts";
import type { ForkOverlayOptions } from "../src/overlay/overlay-options.ts";
import { SharedOverlay } from "../src/overlay/shared-overlay.ts";
import { answerOver } from "./chain-model.ts";
import { randomCall } from "./random-call.ts";

const STEPS = 40;
const CALLS_PER_STEP = 3;

export interface ReplacedBanksOptions extends Pick<ForkOverlayOptions, "onCommit"> {
  readonly seed: number;
  readonly store: IndexStore;
  /** Called once the store can be read. */
  readonly openViews: () => Promise<ViewSource>;
  readonly shared: UnfinalizedWriter;
  readonly unfinalized: UnfinalizedReader;
}

/**
 * A writer follows a chain whose nodes replace banks without a word. After each step another process answers what the
 * writer answers, at every commitment. Sometimes that process has not looked for some steps.
 */
export const expectSameBanks = async (options: ReplacedBanksOptions): Promise<void> => {
  const { seed, store, openViews, shared, unfinalized, onCommit = () => {} } = options;
  const random = new Random(seed, 510, 0);
  const bankNames = (["none", "data", "all"] as const)[random.below(3)]!;
  const simulation = new ChainSimulation({ seed, isChaotic: true, bankNames });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts(simulation.genesis.accounts, simulation.genesis);
  const viewSource = await openViews();
  const overlay = await ForkOverlay.open({
    store,
    viewSource,
    shared,
    onCommit,
    closeFromTransactions: false,
  });
  const follower = new ChainFollower({ overlay });
  const node = new SharedOverlay({ unfinalized, viewSource });
  for (let step = 0; step < STEPS; step += 1) {
    if (random.percent(5)) simulation.migrate();
    const events = random.percent(40) ? simulation.switchBank() : simulation.next();
    for (const event of step === STEPS - 1 ? [...events, ...simulation.settle()] : events)
      await follower.take(event);
    if (random.percent(30) && step < STEPS - 1) continue;
    // This call takes its turn after the writer has published the slots that it dropped.
    await overlay.finalize(0);
    await node.catchUp();
    const { finalizedSlot, confirmedSlot, processedSlot } = overlay.state;
    expect(node.state).toMatchObject({ finalizedSlot, confirmedSlot, processedSlot });
    for (const assetCommitment of commitments) {
      for (let calls = 0; calls < CALLS_PER_STEP; calls += 1) {
        const call = randomCall(random, simulation);
        const question = `${call.method} ${JSON.stringify(call.params)} ${assetCommitment}: `;
        expect(question + (await answerOver(node, call, { assetCommitment }))).toBe(
          question + (await answerOver(overlay, call, { assetCommitment })),
        );
      }
    }
  }
  expect(follower.state.replacedSlots).toBeGreaterThan(0);
};
