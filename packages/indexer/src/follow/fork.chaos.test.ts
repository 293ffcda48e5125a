// Everything that can go wrong on the way of a chain, from one seed: forks, dead and skipped slots, two blocks for one
// slot, banks that are replaced without a word, with and without their numbers, slots and clocks that jump, repeats, any order within a slot, lost streams, restarts; accounts and compressed
// leaves. At random moments every method is asked at every commitment, and what it
// answers must be what a naive model answers that walked the one path to that slot.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChainEvent, Commitment, IndexStore, ViewSource, Slot } from "@lamplight/core";
import { ChainSimulation, lastWrites, Random, type SimulatedBlock } from "@lamplight/devchain";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { describe, expect, test } from "vitest";
import { indexContent } from "../../test/index-content.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { failedForkSeeds } from "../../test/failed-seeds.ts";
import { NaiveStore } from "../../test/naive-store.ts";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { verifyAssets } from "../verify/verify-assets.ts";
import { ChainFollower } from "./chain-follower.ts";
import { expectSameAnswers } from "../../test/expect-same-answers.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? (process.env["LAMPLIGHT_FORK_SEED"] ? 1 : 12));
const keptSeeds = process.env["LAMPLIGHT_FORK_SEED"] === undefined ? failedForkSeeds : [];
const STEPS = 30;
const CALLS_PER_CHECK = 6;

/** Slots and banks that have been reported so far. The tips follow from them by the rules of commitments. */
class Reported {
  /** The block of each slot that was reported complete: the last one where a leader made two. */
  readonly #whole = new Map<Slot, SimulatedBlock>();
  /** Hashes of blocks that are not reported to be whole yet. */
  readonly #open = new Map<Slot, string>();
  /** The newest bank of each slot that the current stream has reported anything of. */
  readonly #banks = new Map<Slot, SimulatedBlock>();
  readonly #confirmed = new Set<Slot>();
  readonly #finalized = new Set<Slot>();
  readonly #simulation: ChainSimulation;
  #root: Slot;

  constructor(simulation: ChainSimulation) {
    this.#simulation = simulation;
    this.#root = simulation.genesis.slot;
  }

  note(event: ChainEvent): void {
    if (event.kind === "restart") for (const reported of [this.#open, this.#banks]) reported.clear();
    this.#noteBank(event);
    if (event.kind === "block") this.#open.set(event.slot, event.blockhash!);
    if (event.kind === "slot") this.#noteSlot(event);
    const root = this.#newest(this.#finalized);
    if (root > this.#root) this.#root = root;
  }

  /** A new process knows what is in the store, and nothing else. */
  forget(): void {
    for (const reported of [this.#whole, this.#open, this.#banks, this.#confirmed, this.#finalized])
      reported.clear();
  }

  tip(commitment: Commitment): Slot {
    if (commitment === "finalized") return this.#root;
    const confirmed = this.#newest(this.#confirmed);
    if (commitment === "confirmed") return confirmed;
    const newer = [...this.#whole.keys()].filter(
      (slot) => this.#isWhole(slot) && this.pathTo(slot, confirmed) !== null,
    );
    return Math.max(confirmed, ...newer);
  }

  /** Blocks as they were reported, from the one after `root` up to `slot`; null when it does not build on it. */
  pathTo(slot: Slot, root: Slot): readonly SimulatedBlock[] | null {
    const path: SimulatedBlock[] = [];
    let at = slot;
    while (at > root) {
      const block = this.#whole.get(at);
      const child = path[0];
      // The other block of that slot is not the one this builds on.
      if (block === undefined || (child !== undefined && child.parentBlockhash !== block.blockhash))
        return null;
      path.unshift(block);
      at = block.parent;
    }
    const [first] = path;
    const isOnRoot = first === undefined || first.parentBlockhash === this.#hashOf(root);
    return at === root && isOnRoot ? path : null;
  }

  /** The hash of a complete slot, or of one that an earlier process has finalized. */
  #hashOf(slot: Slot): string {
    const { genesis } = this.#simulation;
    return (this.#whole.get(slot) ?? this.#simulation.block(slot) ?? genesis).blockhash;
  }

  /** A bank follows another one of its slot: that one is gone, with everything on it. */
  #noteBank(event: ChainEvent): void {
    const block = this.#simulation.blockOfEvent(event);
    const isInOrder =
      event.kind === "account" ||
      event.kind === "block" ||
      (event.kind === "slot" && event.status === "createdBank");
    if (block === undefined || !isInOrder) return;
    const before = this.#banks.get(block.slot);
    if (before !== undefined && before !== block) this.#clear(block.slot);
    this.#banks.set(block.slot, block);
  }

  #clear(slot: Slot): void {
    const above = [...this.#whole.values()].filter(({ parent }) => parent === slot);
    for (const reported of [this.#whole, this.#open, this.#banks]) reported.delete(slot);
    for (const block of above) this.#clear(block.slot);
  }

  #noteSlot(event: Extract<ChainEvent, { kind: "slot" }>): void {
    const { slot, status, bank } = event;
    if (status === "complete") {
      const block = this.#simulation.blockOf(this.#open.get(slot) ?? "");
      const isOfIt = bank === undefined || this.#simulation.blockOfEvent(event) === block;
      if (block !== undefined && isOfIt) this.#whole.set(slot, block);
    }
    if (status === "dead") this.#whole.delete(slot);
    if (status === "confirmed" || status === "finalized") this.#confirmed.add(slot);
    if (status === "finalized") this.#finalized.add(slot);
  }

  #newest(slots: ReadonlySet<Slot>): Slot {
    return Math.max(this.#root, ...[...slots].filter((slot) => this.#isWhole(slot)));
  }

  #isWhole(slot: Slot): boolean {
    return slot >= this.#root && this.pathTo(slot, this.#root) !== null;
  }
}

class ForkChaos {
  readonly seed: number;
  readonly #random: Random;
  readonly #simulation: ChainSimulation;
  readonly #reported: Reported;
  readonly #folder = mkdtempSync(join(tmpdir(), "lamplight-chaos-"));
  readonly #withIndex: boolean;
  /** Whether nodes replace blocks without a word. */
  readonly #isSilent: boolean;
  #store!: IndexStore;
  #reader!: SqliteReader;
  #life: SearchLife | null = null;
  #overlay!: ForkOverlay;
  #follower!: ChainFollower;
  /** The model at the finalized slot; copies of it walk on to what is asked. */
  #finalized = new NaiveStore();

  constructor(seed: number) {
    this.seed = seed;
    this.#random = new Random(seed, 200, 0);
    this.#withIndex = this.#random.percent(50);
    const bankNames = (["none", "data", "all"] as const)[this.#random.below(3)]!;
    this.#isSilent = this.#random.percent(70);
    this.#simulation = new ChainSimulation({ seed, isChaotic: true, bankNames });
    this.#reported = new Reported(this.#simulation);
  }

  async run(): Promise<void> {
    try {
      await this.#start();
      for (let step = 0; step < STEPS; step += 1) await this.#step();
      await this.#settle();
    } finally {
      await this.#stop();
      rmSync(this.#folder, { recursive: true });
    }
  }

  async #start(): Promise<void> {
    this.#openStore();
    await this.#store.writeCoverage({ kind: "whole" });
    await applyGenesis(this.#store, this.#simulation);
    await applyGenesis(this.#finalized, this.#simulation);
    await this.#openOverlay();
  }

  #openStore(): void {
    const file = join(this.#folder, "index.db");
    this.#store = openSqliteStore({ file, mode: "write" });
    this.#reader = openSqliteReader({ file });
  }

  async #openOverlay(): Promise<void> {
    this.#life = this.#withIndex ? await startSearchLife({ viewSource: this.#reader, file: null }) : null;
    await this.#life?.filled;
    this.#overlay = await ForkOverlay.open({
      store: this.#store,
      viewSource: this.#life?.viewSource ?? this.#reader,
      closeFromTransactions: false,
    });
    this.#follower = new ChainFollower({ overlay: this.#overlay });
  }

  async #stop(): Promise<void> {
    await this.#life?.close();
    this.#reader?.close();
    await this.#store?.close();
  }

  async #step(): Promise<void> {
    const events = this.#simulation.next();
    if (this.#random.percent(12)) return this.#loseStream(events);
    await this.#emit(events);
    if (this.#random.percent(this.#isSilent ? 25 : 10)) await this.#equivocate();
    if (this.#isSilent && this.#random.percent(4)) this.#simulation.migrate();
    if (this.#random.percent(4)) await this.#restartProcess();
    // A source that learns of a gap replays sooner or later.
    if (this.#follower.state.gap !== null && this.#random.percent(50)) await this.#replay();
  }

  /** Another block takes the place of one that was reported: the node says so, or another node never had the first. */
  async #equivocate(): Promise<void> {
    const events = this.#isSilent ? this.#simulation.switchBank() : this.#simulation.equivocate();
    if (this.#random.percent(this.#isSilent ? 80 : 50)) await this.#emit(events);
    else await this.#replay();
  }

  /** The stream breaks in the middle, the chain goes on, and a new stream reports again what is needed. */
  async #loseStream(events: readonly ChainEvent[]): Promise<void> {
    await this.#emit(events.slice(0, this.#random.below(events.length + 1)));
    for (let missed = this.#random.below(4); missed > 0; missed -= 1) this.#simulation.next();
    await this.#check();
    await this.#replay();
  }

  async #restartProcess(): Promise<void> {
    await this.#stop();
    this.#reported.forget();
    this.#openStore();
    await this.#openOverlay();
    await this.#replay();
  }

  async #replay(): Promise<void> {
    // A few slots more than needed do no harm.
    const from = this.#overlay.state.finalizedSlot + 1 - this.#random.below(3);
    if (this.#random.percent(50)) this.#simulation.changeNode();
    await this.#emit(this.#simulation.replay(from));
  }

  async #emit(events: readonly ChainEvent[]): Promise<void> {
    for (const event of events) {
      await this.#follower.take(event);
      this.#reported.note(event);
      if (this.#random.percent(3)) await this.#check();
    }
  }

  async #settle(): Promise<void> {
    await this.#emit(this.#simulation.settle());
    await this.#replay();
    await this.#check();
    const { finalized } = this.#simulation;
    expect(this.#overlay.state).toMatchObject({ finalizedSlot: finalized, confirmedSlot: finalized });
    expect(this.#follower.state.gap).toBe(null);
    expect(await this.#store.checkIntegrity()).toEqual([]);
    expect(await verifyAssets(this.#store)).toMatchObject({ differing: 0 });
    const file = join(this.#folder, "clean.db");
    const clean = openSqliteStore({ file, mode: "write" });
    await applyGenesis(clean, this.#simulation);
    for (const block of this.#simulation.pathTo(finalized)!) await applyBlock(clean, block);
    expect(await indexContent(this.#store)).toBe(await indexContent(clean));
    expect(await this.#store.readWatermark()).toEqual(await clean.readWatermark());
    await clean.close();
  }

  async #check(): Promise<void> {
    await this.#moveFinalized();
    const models = new Map<Slot, NaiveStore>();
    const model: ViewSource = {
      openView: async (commitment) => {
        const slot = this.#reported.tip(commitment);
        const known = models.get(slot) ?? (await this.#modelAt(slot));
        models.set(slot, known);
        return known.openView();
      },
    };
    await expectSameAnswers({
      real: this.#overlay,
      model,
      random: this.#random,
      simulation: this.#simulation,
      calls: CALLS_PER_CHECK,
    });
  }

  async #moveFinalized(): Promise<void> {
    const root = this.#reported.tip("finalized");
    for (const block of this.#simulation.pathTo(root, this.#finalized.slot) ?? [])
      await applyBlock(this.#finalized, block);
  }

  async #modelAt(slot: Slot): Promise<NaiveStore> {
    const model = this.#finalized.copy();
    for (const block of this.#reported.pathTo(slot, model.slot)!) await applyBlock(model, block);
    return model;
  }
}

type Target = Parameters<typeof createIndexer>[0];

const applyGenesis = async (store: Target, { genesis }: ChainSimulation): Promise<void> => {
  await createIndexer(store).applyAccounts(genesis.accounts, {
    slot: genesis.slot,
    blockhash: genesis.blockhash,
  });
};

const applyBlock = async (store: Target, block: Parameters<typeof lastWrites>[0]): Promise<void> => {
  const { slot, blockhash } = block;
  const { transactions } = block;
  const watermark = { slot, blockhash };
  await createIndexer(store).apply({ accounts: lastWrites(block), transactions, watermark });
};

describe("chaos of forks", () => {
  test.each([...keptSeeds, ...Array.from({ length: seeds }, (_, index) => firstSeed + index)])(
    "seed %i: every answer at every commitment is the model's, and the store ends as after a clean run",
    async (seed) => {
      try {
        await new ForkChaos(seed).run();
      } catch (error) {
        console.error(
          `repeat with: LAMPLIGHT_FORK_SEED=${seed} npx vitest run packages/indexer/src/follow/fork.chaos.test.ts`,
        );
        throw error;
      }
    },
  );
});
