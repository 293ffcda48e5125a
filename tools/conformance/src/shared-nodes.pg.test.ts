// One writer that follows a chain, and nodes that serve next to it from the same PostgreSQL: at random moments what a
// node answers at each commitment is what a naive model answers at the slot the node says it answers from.

import { type ChainEvent, commitments, type ViewSource, type ReadView, type Slot } from "@lamplight/core";
import { ChainSimulation, Random } from "@lamplight/devchain";
import { isLamplightError } from "@lamplight/errors";
import {
  ChainFollower,
  createIndexer,
  ForkOverlay,
  type OverlayState,
  SharedOverlay,
  verifyAssets,
} from "@lamplight/indexer";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { answerOver, ChainModel } from "../../../packages/indexer/test/chain-model.ts";
import { randomCall } from "../../../packages/indexer/test/random-call.ts";
import {
  openSharedReader,
  openSharedStore,
  type SharedReader,
  type SharedStore,
} from "../test/shared-store.ts";

const firstSeed = Number(process.env["LAMPLIGHT_SHARED_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_SHARED_SEEDS"] ?? (process.env["LAMPLIGHT_SHARED_SEED"] ? 1 : 3));
/** Only ends what would otherwise never end. */
const patience = { timeout: 300_000, interval: 20 };
const STEPS = 30;
const CALLS_PER_CHECK = 4;

class Node {
  readonly overlay: SharedOverlay;
  readonly #reader: SharedReader;
  readonly #life: SearchLife | null;

  private constructor(reader: SharedReader, life: SearchLife | null, pollMs: number) {
    this.#reader = reader;
    this.#life = life;
    this.overlay = new SharedOverlay({ unfinalized: reader, viewSource: life?.viewSource ?? reader, pollMs });
    this.overlay.start();
  }

  /** @param pollMs - how often it looks by itself */
  static async start(url: string, withIndex: boolean, pollMs: number): Promise<Node> {
    const reader = await openSharedReader(url);
    const life = withIndex ? await startSearchLife({ viewSource: reader, file: null }) : null;
    await life?.filled;
    return new Node(reader, life, pollMs);
  }

  async stop(): Promise<void> {
    await this.overlay.stop();
    await this.#life?.close();
    this.#reader.close();
  }
}

class NodesChaos {
  readonly #url: string;
  readonly #server: TestPostgres;
  readonly #random: Random;
  readonly #asking: Random;
  readonly #simulation: ChainSimulation;
  readonly #model: ChainModel;
  readonly #seen = new Set<Slot>();
  #store!: SharedStore;
  #reader!: SharedReader;
  #overlay!: ForkOverlay;
  #follower!: ChainFollower;
  #nodes: Node[] = [];

  constructor(seed: number, server: TestPostgres, url: string) {
    this.#server = server;
    this.#url = url;
    this.#random = new Random(seed, 500, 0);
    this.#asking = new Random(seed, 501, 0);
    this.#simulation = new ChainSimulation({ seed, isChaotic: true });
    this.#model = new ChainModel(this.#simulation);
  }

  async run(): Promise<void> {
    try {
      this.#store = await openSharedStore(this.#url);
      await this.#store.writeCoverage({ kind: "whole" });
      const { accounts, slot, blockhash } = this.#simulation.genesis;
      await createIndexer(this.#store).applyAccounts(accounts, { slot, blockhash });
      await this.#follow();
      // The second looks by itself so rarely that only what it is asked brings it on.
      this.#nodes = [await Node.start(this.#url, true, 5), await Node.start(this.#url, false, 60_000)];
      for (let step = 0; step < STEPS; step += 1) await this.#step();
      await this.#settle();
      expect(this.#seen.size).toBeGreaterThan(STEPS / 2);
    } finally {
      for (const node of this.#nodes) await node.stop();
      this.#reader?.close();
      await this.#store?.close();
    }
  }

  async #follow(): Promise<void> {
    this.#reader = await openSharedReader(this.#url);
    this.#overlay = await ForkOverlay.open({
      store: this.#store,
      viewSource: this.#reader,
      shared: this.#store,
      closeFromTransactions: false,
    });
    this.#follower = new ChainFollower({ overlay: this.#overlay });
  }

  async #step(): Promise<void> {
    const events = this.#simulation.next();
    const chance = this.#random.below(100);
    const reported = chance < 12 ? events.slice(0, this.#random.below(events.length + 1)) : events;
    // Asked while it happens, and after.
    await Promise.all([this.#emit(reported), this.#check()]);
    if (chance < 12) await this.#emit(this.#simulation.replay(this.#overlay.state.finalizedSlot + 1));
    if (chance >= 90) await this.#anotherWriter();
    if (chance >= 80 && chance < 85) await this.#lateNode();
    if (chance >= 77 && chance < 80) await this.#crash();
    if (chance >= 50 && chance < 70) await this.#expectInStep();
    await this.#check();
  }

  /** The writer's process ends at once; the next one takes over what was shown. */
  async #anotherWriter(): Promise<void> {
    if (this.#random.percent(50)) await this.#server.cutSessions("lamplight writer");
    const before = this.#overlay.state;
    this.#reader.close();
    await this.#store.close();
    this.#store = await openSharedStore(this.#url);
    await this.#follow();
    expect(this.#overlay.state.finalizedSlot).toBe(before.finalizedSlot);
    await this.#emit(this.#simulation.replay(this.#overlay.state.finalizedSlot + 1));
  }

  async #lateNode(): Promise<void> {
    const which = this.#random.below(this.#nodes.length);
    await this.#nodes[which]!.stop();
    this.#nodes[which] = await Node.start(this.#url, this.#random.percent(50), 5);
  }

  async #crash(): Promise<void> {
    await this.#server.crash();
    const asked = this.#nodes.map(async ({ overlay }) => overlay.openView("confirmed"));
    for (const answer of await Promise.allSettled(asked)) {
      expect(answer).toMatchObject({ status: "rejected", reason: { code: "STORE__UNREACHABLE" } });
    }
    await this.#server.restart();
    // A server that was away is asked ever more seldom, up to a second.
    for (const viewSource of [this.#reader, ...this.#nodes.map(({ overlay }) => overlay)]) {
      await vi.waitFor(async () => (await viewSource.openView("confirmed")).close(), patience);
    }
  }

  async #emit(events: readonly ChainEvent[]): Promise<void> {
    for (const event of events) {
      await this.#follower.take(event).catch(async (error: unknown) => {
        if (!isLamplightError(error, "STORE__UNREACHABLE")) throw error;
        await this.#follower.goOn();
      });
    }
  }

  /** Nothing that the writer holds is hidden from the nodes. */
  async #expectInStep(): Promise<void> {
    for (const { overlay } of this.#nodes) {
      await vi.waitFor(async () => {
        await overlay.catchUp();
        expect(tips(overlay.state!)).toEqual(tips(this.#overlay.state));
      }, patience);
    }
  }

  async #check(): Promise<void> {
    // Several at once, as real callers are.
    await Promise.all([...this.#nodes, ...this.#nodes].map(({ overlay }) => this.#checkNode(overlay)));
  }

  async #checkNode(overlay: SharedOverlay): Promise<void> {
    const views = new Map<string, ReadView>();
    try {
      for (const commitment of commitments) views.set(commitment, await overlay.openView(commitment));
      await this.#compare(views);
    } finally {
      for (const view of views.values()) view.close();
    }
  }

  async #compare(views: ReadonlyMap<string, ReadView>): Promise<void> {
    const real: ViewSource = { openView: (commitment) => keptOpen(views.get(commitment)!) };
    const model: ViewSource = {
      openView: async (commitment) => (await this.#model.at(views.get(commitment)!.slot)).openView(),
    };
    for (const { slot } of views.values()) this.#seen.add(slot);
    const slots = JSON.stringify([...views].map(([commitment, { slot }]) => [commitment, slot]));
    const compareOne = async (): Promise<void> => {
      const call = randomCall(this.#asking, this.#simulation);
      const options = { assetCommitment: commitments[this.#asking.below(commitments.length)]! };
      const reported = `${slots} ${JSON.stringify(call)} ${options.assetCommitment}: `;
      expect(reported + (await answerOver(real, call, options))).toBe(
        reported + (await answerOver(model, call, options)),
      );
    };
    await Promise.all(Array.from({ length: CALLS_PER_CHECK }, compareOne));
  }

  async #settle(): Promise<void> {
    await this.#emit(this.#simulation.settle());
    await this.#emit(this.#simulation.replay(this.#overlay.state.finalizedSlot + 1));
    expect(this.#overlay.state).toMatchObject({
      finalizedSlot: this.#simulation.finalized,
      unfinalizedSlots: 0,
    });
    await this.#expectInStep();
    await this.#check();
    expect(await this.#store.checkIntegrity()).toEqual([]);
    expect(await verifyAssets(this.#store)).toMatchObject({ differing: 0 });
  }
}

const tips = ({ finalizedSlot, confirmedSlot, processedSlot }: OverlayState) => ({
  finalizedSlot,
  confirmedSlot,
  processedSlot,
});

/** The same view for several calls. */
const keptOpen = (view: ReadView): ReadView => ({
  slot: view.slot,
  read: (asked) => view.read(asked),
  terms: view.terms,
  coverage: view.coverage,
  incompleteTrees: view.incompleteTrees,
  close: () => {},
});

describePostgres("nodes next to a writer that follows a chain", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  describe.each(storePlaces)("over $kind", ({ urlOf }) => {
    test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
      "seed %i: every node's answer at every commitment is the model's at its slot",
      async (seed) => {
        try {
          await new NodesChaos(seed, server, urlOf(server.url, `chaos_${seed}`)).run();
        } catch (error) {
          console.error(
            `repeat with: LAMPLIGHT_SHARED_SEED=${seed} npx vitest run tools/conformance/src/shared-nodes.pg.test.ts`,
          );
          throw error;
        }
      },
    );
  });
});
