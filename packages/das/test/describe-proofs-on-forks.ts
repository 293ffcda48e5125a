// Proofs above the finalized slot: on each fork and at each commitment, a proof gives the root of its own slot.

import { encodeAddress } from "@lamplight/codecs";
import { type Commitment, commitments, type Slot, type ViewSource } from "@lamplight/core";
import { addressOf, BubblegumTree, Random } from "@lamplight/devchain";
import { ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { expect, test } from "vitest";
import { accountAt, askOver, type OpenedPlace, ProofStore } from "./proof-store.ts";

const ROOT = 1000;
const SLOTS = 40;
const FORK_DEPTH_MAX = 4;

/** One slot of some fork, with the tree as it is after it. */
interface Block {
  readonly slot: Slot;
  readonly parent: Slot;
  readonly tree: BubblegumTree;
}

class Forks {
  readonly #random: Random;
  readonly #overlay: ForkOverlay;
  /** What another process would answer from. */
  readonly #other: SharedOverlay | null;
  readonly #blocks = new Map<Slot, Block>();
  #head = ROOT;
  #finalized = ROOT;
  #asked = 0;

  private constructor(seed: number, overlay: ForkOverlay, other: SharedOverlay | null, tree: BubblegumTree) {
    this.#random = new Random(seed, 7, 0);
    this.#overlay = overlay;
    this.#other = other;
    this.#blocks.set(ROOT, { slot: ROOT, parent: ROOT, tree });
  }

  static async open(seed: number, chain: ProofStore): Promise<Forks> {
    const tree = new BubblegumTree(1, { depth: 7 + (seed % 8), canopyDepth: seed % 4 });
    tree.slot = ROOT - 90;
    const minted = Array.from({ length: 70 }, () => tree.mintV2(addressOf(1)));
    await chain.apply(minted, []);
    tree.slot = ROOT;
    await chain.apply([], [tree]);
    const { store, reader: viewSource } = chain;
    const { shared } = chain.place;
    const overlay = await ForkOverlay.open({
      store,
      viewSource,
      ...(shared === null ? {} : { shared: shared.writer }),
    });
    const other = shared === null ? null : new SharedOverlay({ unfinalized: shared.reader, viewSource });
    return new Forks(seed, overlay, other, tree);
  }

  get asked(): number {
    return this.#asked;
  }

  async run(): Promise<void> {
    for (let slot = ROOT + 1; slot <= ROOT + SLOTS; slot += 1) {
      await this.#add(slot);
      if (this.#random.percent(40)) this.#overlay.confirm(this.#ancestor(this.#head, 2));
      if (this.#random.percent(30)) await this.#finalize();
      for (const commitment of commitments) await this.#check(this.#overlay, commitment);
      if (this.#other === null) continue;
      await this.#other.catchUp();
      for (const commitment of commitments) await this.#check(this.#other, commitment);
    }
  }

  async #add(slot: Slot): Promise<void> {
    const parent = this.#random.percent(30) ? this.#ancestor(this.#head, FORK_DEPTH_MAX) : this.#head;
    const tree = this.#blocks.get(parent)!.tree.copy();
    tree.slot = slot - 1;
    const transactions = Array.from({ length: this.#random.below(4) }, () => ({ ...this.#step(tree), slot }));
    const accounts = transactions.length === 0 ? [] : [{ ...accountAt(tree, slot), writeVersion: slot }];
    await this.#overlay.add({ slot, parent, blockhash: null, accounts, transactions });
    this.#blocks.set(slot, { slot, parent, tree });
    this.#head = slot;
  }

  #step(tree: BubblegumTree) {
    const nonce = this.#random.below(tree.held.length);
    if (this.#random.percent(30) && tree.held.length < 2 ** tree.nodes.depth)
      return tree.mintV1(addressOf(2));
    return this.#random.percent(20)
      ? tree.burn(nonce)
      : tree.transfer(nonce, addressOf(this.#random.below(99)));
  }

  /** It never lies below the finalized slot. */
  #ancestor(slot: Slot, depthMax: number): Slot {
    let at = slot;
    for (let depth = this.#random.below(depthMax + 1); depth > 0 && at > this.#finalized; depth -= 1)
      at = this.#blocks.get(at)!.parent;
    return at;
  }

  async #finalize(): Promise<void> {
    const slot = this.#ancestor(this.#head, FORK_DEPTH_MAX);
    if (slot <= this.#finalized) return;
    await this.#overlay.finalize(slot);
    this.#finalized = slot;
  }

  async #check(source: ViewSource, commitment: Commitment): Promise<void> {
    const view = await source.openView(commitment);
    const { slot } = view;
    const { tree } = this.#blocks.get(slot)!;
    const nonce = this.#random.below(tree.held.length);
    const id = encodeAddress(tree.idOf(nonce));
    const answer = (await askOver(
      { openView: () => view },
      "getAssetProofs",
      { ids: [id] },
      commitment,
    )) as object;
    const [leaf] = tree.nodes.pathOf(nonce);
    const expected = leaf!.every((byte) => byte === 0)
      ? null
      : {
          root: encodeAddress(tree.nodes.root),
          proof: tree.nodes.proofOf(nonce).map(encodeAddress),
          node_index: 2 ** tree.nodes.depth + nonce,
          leaf: encodeAddress(leaf!),
          tree_id: encodeAddress(tree.address),
        };
    expect(answer, `${commitment} at ${slot}`).toEqual({ [id]: expected });
    this.#asked += 1;
  }
}

/** @param openPlace - opens an empty store of the kind that is tested */
export const describeProofsOnForks = (
  openPlace: () => Promise<OpenedPlace>,
  seeds: readonly number[],
): void => {
  test.each(seeds)("proofs are those of the fork that answers, seed %i", async (seed) => {
    const chain = await ProofStore.open(await openPlace());
    try {
      const forks = await Forks.open(seed, chain);
      await forks.run();
      expect(forks.asked).toBe(commitments.length * SLOTS * (chain.place.shared === null ? 1 : 2));
    } finally {
      await chain.close();
    }
  });
};
