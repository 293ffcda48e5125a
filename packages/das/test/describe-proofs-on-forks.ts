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
  /** Another process would answer from it. */
  readonly #other: SharedOverlay | null;
  readonly #blocks = new Map<Slot, Block>();
  /** Resolves when the finalized slot moves. */
  #moved = Promise.withResolvers<void>();
  #newest = ROOT;
  #head = ROOT;
  #finalized = ROOT;
  #asked = 0;

  private constructor(seed: number, overlay: ForkOverlay, other: SharedOverlay | null, tree: BubblegumTree) {
    this.#random = new Random(seed, 7, 0);
    this.#overlay = overlay;
    this.#other = other;
    this.#blocks.set(ROOT, { slot: ROOT, parent: ROOT, tree });
  }

  static async open(seed: number, chain: ProofStore, depth = 7 + (seed % 8)): Promise<Forks> {
    const tree = new BubblegumTree(1, { depth, canopyDepth: seed % 4 });
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

  /** Adds slots, and asks after each of them. */
  async run(): Promise<void> {
    for (let count = 0; count < SLOTS; count += 1) {
      await this.#advance();
      for (const commitment of commitments) await this.#check(this.#overlay, commitment);
      if (this.#other === null) continue;
      await this.#other.catchUp();
      for (const commitment of commitments) await this.#check(this.#other, commitment);
    }
  }

  /**
   * Begins to keep nodes after some slots, and fills those of earlier changes while further slots come.
   *
   * @param lateTurn - the turn of the filling that comes after further finalized slots; the others follow at once
   */
  async fill(chain: ProofStore, lateTurn: number): Promise<void> {
    for (let count = 0; count < 5; count += 1) await this.#advance();
    await this.#overlay.whileIdle(() => chain.begin());
    const since = this.#overlay.state.processedSlot;
    while (this.#finalized < since) await this.#advance();
    const checked = new AbortController();
    let turns = 0;
    const filling = chain.fillBetweenSlots({
      since,
      inTurn: async (work) => {
        turns += 1;
        if (turns === lateTurn) await this.#moved.promise;
        return this.#overlay.whileIdle(work);
      },
    });
    // At once, since each later change of the tree would replace what is wrong.
    const checking = filling
      .then(() => this.#overlay.whileIdle(() => chain.verify()))
      .finally(() => checked.abort());
    while (!checked.signal.aborted) await this.#advance();
    expect(await checking).toEqual([]);
  }

  async finalizeAll(): Promise<void> {
    await this.#overlay.finalize(this.#head);
  }

  async #advance(): Promise<void> {
    this.#newest += 1;
    await this.#add(this.#newest);
    if (this.#random.percent(40)) this.#overlay.confirm(this.#ancestor(this.#head, 2));
    if (this.#random.percent(30)) await this.#finalize();
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
    this.#moved.resolve();
    this.#moved = Promise.withResolvers();
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
      { assetCommitment: commitment },
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
      await forks.finalizeAll();
      expect(await chain.verify()).toEqual([]);
      expect(forks.asked).toBe(commitments.length * SLOTS * (chain.place.shared === null ? 1 : 2));
    } finally {
      await chain.close();
    }
  });

  // A tree of 70 leaves has five blocks of them, and is filled in 17 turns; the first five read no block, or the first one.
  test.each(seeds.flatMap((seed) => [6, 9, 12, 14, 15, 16].map((lateTurn) => [seed, lateTurn] as const)))(
    "nodes are filled between slots that are written, seed %i, turn %i late",
    async (seed, lateTurn) => {
      const chain = await ProofStore.open(await openPlace(), { keeps: false });
      try {
        // The path of a leaf goes through several blocks, so that a node is made of others that were made.
        const forks = await Forks.open(seed, chain, 11 + (seed % 8));
        await forks.fill(chain, lateTurn);
        await forks.finalizeAll();
        expect(await chain.verify()).toEqual([]);
      } finally {
        await chain.close();
      }
    },
  );
};
