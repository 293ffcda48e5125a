// Random forks over a store, compared at every commitment with a model of what was written.

import {
  type Account,
  commitments,
  type IndexStore,
  type ReadView,
  type Slot,
  type UnfinalizedReader,
  type UnfinalizedWriter,
  type ViewSource,
} from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { createIndexer } from "../src/indexer.ts";
import { ForkOverlay } from "../src/overlay/fork-overlay.ts";
import { SharedOverlay } from "../src/overlay/shared-overlay.ts";

const FINALIZED = 5;

export interface ForksOptions {
  readonly seed: number;
  readonly store: IndexStore;
  /** Slots above the first one. */
  readonly slots: number;
  /** Called once the store can be read. */
  readonly openViews: () => Promise<ViewSource>;
  /** The writer publishes its slots there, and another process reads them. */
  readonly shared?: { readonly writer: UnfinalizedWriter; readonly reader: UnfinalizedReader };
}

interface ForksStory<Model> {
  readonly nothing: Model;
  /** Accounts that are there before all forks. */
  readonly before: readonly Account[];
  /** Accounts of a slot, and the model behind it. */
  readonly write: (
    random: Random,
    slot: Slot,
    before: Model,
  ) => { readonly accounts: readonly Account[]; readonly model: Model };
  /** Called once the first slot is in the store. */
  readonly prepare?: (store: IndexStore) => Promise<unknown>;
  readonly expectView: (view: ReadView, model: Model) => Promise<void>;
}

interface State<Model> {
  readonly slot: Slot;
  readonly ancestors: readonly Slot[];
  readonly model: Model;
}

/**
 * A writer follows random forks. After each slot it, and another process, answer as the model has it. Sometimes a process
 * that starts then answers too, and sometimes the writer starts again.
 */
export const walkForks = async <Model>(
  { seed, slots, store, openViews, shared }: ForksOptions,
  { nothing, before, write, prepare, expectView }: ForksStory<Model>,
): Promise<void> => {
  const random = new Random(seed, 1, 1);
  const first = write(random, FINALIZED, nothing);
  const watermark = { slot: FINALIZED, blockhash: null };
  await createIndexer(store).applyAccounts([...before, ...first.accounts], watermark);
  await store.writeCoverage({ kind: "whole" });
  await prepare?.(store);
  const viewSource = await openViews();
  const openOverlay = (): Promise<ForkOverlay> =>
    ForkOverlay.open({ store, viewSource, ...(shared && { shared: shared.writer }) });
  let overlay = await openOverlay();
  const openNodes = (): readonly SharedOverlay[] =>
    shared === undefined ? [] : [new SharedOverlay({ unfinalized: shared.reader, viewSource })];
  const nodes = openNodes();
  /** The finalized slot and all that follow it, each with its ancestors. */
  let states: State<Model>[] = [{ slot: FINALIZED, ancestors: [], model: first.model }];
  const expectViews = async (): Promise<void> => {
    // This call takes its turn after the writer has published what is confirmed.
    await overlay.finalize(0);
    const others = random.percent(30) ? [...nodes, ...openNodes()] : nodes;
    for (const node of others) await node.catchUp();
    for (const node of others) expect(node.state).toMatchObject(shownBy(overlay));
    for (const source of [overlay, ...others])
      for (const commitment of commitments) {
        const view = await source.openView(commitment);
        await expectView(view, states.find(({ slot }) => slot === view.slot)!.model);
        view.close();
      }
  };
  for (let slot = FINALIZED + 1; slot <= FINALIZED + slots; slot += 1) {
    // Two thirds go on with the newest slot; the others begin a fork.
    const parent = random.percent(67) ? states.at(-1)! : states[random.below(states.length)]!;
    const { accounts, model } = write(random, slot, parent.model);
    await overlay.add({ slot, parent: parent.slot, blockhash: null, accounts, transactions: [] });
    states.push({ slot, ancestors: [...parent.ancestors, parent.slot], model });
    if (random.percent(40)) await overlay.confirm(slot);
    if (random.percent(25)) {
      await overlay.finalize(slot);
      states = states.filter((one) => one.slot === slot || one.ancestors.includes(slot));
      expect(await store.checkIntegrity()).toEqual([]);
    }
    await expectViews();
    if (shared === undefined || !random.percent(15)) continue;
    const shown = shownBy(overlay);
    overlay = await openOverlay();
    expect(shownBy(overlay)).toEqual(shown);
  }
};

const shownBy = ({ state: { finalizedSlot, confirmedSlot, processedSlot } }: ForkOverlay) => ({
  finalizedSlot,
  confirmedSlot,
  processedSlot,
});
