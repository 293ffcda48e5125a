// The run of `rpc.chaos.test.ts` with one seed.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type Commitment,
  type ChainEvent,
  type FillEvent,
  type Coverage,
  type IndexStore,
  type ViewSource,
  type Slot,
} from "@lamplight/core";
import { BubblegumTree, ChainSimulation, Random } from "@lamplight/devchain";
import { noFaults, RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { RpcSource } from "@lamplight/sources/rpc";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { expect } from "vitest";
import { indexContent } from "./index-content.ts";
import { createIndexer } from "../src/indexer.ts";
import { ForkOverlay } from "../src/overlay/fork-overlay.ts";
import { NaiveStore } from "./naive-store.ts";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { verifyAssets } from "../src/verify/verify-assets.ts";
import { readStoredAccounts, readTreeSlot } from "../src/follow/confirmed-base.ts";
import { ChainFollower } from "../src/follow/chain-follower.ts";
import { expectSameAnswers } from "./expect-same-answers.ts";
import { AccountHistory } from "./account-history.ts";
import { callOfTheLiving, clock, randomFaults, lastStateOf } from "./rpc-chaos-state.ts";
import { ReportedModel } from "./reported-model.ts";

const STEPS = 25;
const QUIET_MOMENTS = 2;
const ROUNDS_MAX = 200;
const CALLS_PER_CHECK = 6;
const CALLS_PER_QUIET = 30;

const tree = encodeAddress(new BubblegumTree(1).address);
const programs = [programAddresses.token, programAddresses.token2022, programAddresses.tokenMetadata].map(
  (program) => encodeAddress(program),
);

export class RpcChaos {
  readonly #random: Random;
  /** Decides what is asked, and when, in parallel with the chaos itself. */
  readonly #asking: Random;
  readonly #simulation: ChainSimulation;
  readonly #coverage: Coverage;
  readonly #model: ReportedModel;
  readonly #withIndex: boolean;
  readonly #ledger: RpcLedger;
  readonly #node: SimulatedRpc;
  readonly #folder = mkdtempSync(join(tmpdir(), "lamplight-rpc-"));
  readonly #singles: readonly string[];
  readonly #withSocket: boolean;
  readonly #history: AccountHistory;
  #address = "";
  #store!: IndexStore;
  #reader!: SqliteReader;
  #overlay: ForkOverlay | null = null;
  #life: SearchLife | null = null;
  #source!: RpcSource;
  #stopping!: AbortController;
  #running: Promise<void> = Promise.resolve();
  /** The genesis hash that the store keeps of its chain. */
  #genesisHash: string | null = null;
  readonly #problems: string[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed, 600, 0);
    this.#asking = new Random(seed, 601, 0);
    const simulation = new ChainSimulation({ seed, isChaotic: true });
    this.#simulation = simulation;
    this.#ledger = new RpcLedger(simulation, [tree]);
    this.#history = new AccountHistory(this.#ledger);
    this.#node = new SimulatedRpc({ ledger: this.#ledger, seed });
    const others = simulation.genesis.accounts
      .filter(({ programOwner }) => !programs.includes(encodeAddress(programOwner)))
      .slice(0, 4);
    this.#singles = [clock, tree, ...others.map(({ address }) => encodeAddress(address))];
    this.#withSocket = this.#random.percent(75);
    this.#withIndex = this.#asking.percent(50);
    const lists = {
      owners: [],
      mints: [],
      collections: [],
      programs,
      accounts: this.#singles,
      trees: [tree],
    };
    // A store that says it has everything is asked for more.
    this.#coverage = this.#asking.percent(30) ? { kind: "filtered", ...lists } : { kind: "whole" };
    this.#model = new ReportedModel(this.#coverage);
  }

  async run(): Promise<void> {
    try {
      this.#address = await this.#node.start();
      this.#node.hasSocket = this.#withSocket;
      await this.#start();
      await this.#until(
        () => this.#overlay !== null,
        () => this.#ledger.advance(),
      );
      for (let moment = 0; moment < QUIET_MOMENTS; moment += 1) {
        this.#node.faults = randomFaults(this.#random);
        for (let step = 0; step < STEPS; step += 1) await this.#step();
        this.#node.faults = noFaults;
        await this.#quiet();
      }
      await this.#stop();
      await this.#expectSound();
    } finally {
      await this.#stop();
      await this.#node.stop();
      rmSync(this.#folder, { recursive: true });
    }
  }

  async #start(): Promise<void> {
    const file = join(this.#folder, "index.db");
    this.#store = openSqliteStore({ file, mode: "write" });
    this.#reader = openSqliteReader({ file });
    this.#stopping = new AbortController();
    this.#overlay = null;
    this.#model.forget();
    const watermark = await this.#store.readWatermark();
    const url = `http://${this.#address}`;
    this.#source = new RpcSource({
      url,
      socketUrl: `ws://${this.#address}`,
      targets: { programs, accounts: this.#singles, mints: [], trees: [tree] },
      base: {
        watermark,
        lacking: null,
        chain: {
          genesisHash: this.#genesisHash,
          keep: async (genesisHash) => {
            this.#genesisHash = genesisHash;
          },
        },
        readAccounts: () => readStoredAccounts(this.#store),
        readTreeSlot: async (each) =>
          readTreeSlot(this.#store, each, (await this.#store.readWatermark())?.slot ?? 0),
      },
      signal: this.#stopping.signal,
      isHeld: () => this.#overlay?.isStalled ?? false,
      onProblem: ({ message }) => this.#problems.push(message),
      pollMs: 10,
      rescanMs: 40,
      retryMs: 1,
    });
    this.#running = this.#follow(watermark !== null);
    this.#running.catch(() => {});
  }

  async #follow(isFilled: boolean): Promise<void> {
    const indexer = createIndexer(this.#store, { closeFromTransactions: false });
    let follower = isFilled ? await this.#openOverlay() : null;
    for await (const event of this.#source.events()) {
      if (event.kind === "fill") await indexer.apply({ ...event, watermark: null });
      else if (event.kind === "filled") {
        await indexer.applyAccounts([], event.watermark);
        await this.#store.writeCoverage(this.#coverage);
        follower = await this.#openOverlay();
      } else await follower!.take(event);
      await this.#noteReported(event);
    }
  }

  async #openOverlay(): Promise<ChainFollower> {
    this.#life = this.#withIndex ? await startSearchLife({ viewSource: this.#reader, file: null }) : null;
    await this.#life?.filled;
    this.#overlay = await ForkOverlay.open({
      store: this.#store,
      viewSource: this.#life?.viewSource ?? this.#reader,
      closeFromTransactions: false,
      onCommit: () => void this.#life?.catchUp(),
    });
    return new ChainFollower({ overlay: this.#overlay });
  }

  /** It runs between two events, while no state changes. */
  async #noteReported(event: FillEvent | ChainEvent): Promise<void> {
    await this.#model.take(event);
    if (this.#overlay === null || !this.#asking.percent(8)) return;
    await expectSameAnswers({
      real: this.#overlay,
      model: this.#model,
      random: this.#asking,
      simulation: this.#simulation,
      calls: CALLS_PER_CHECK,
    });
  }

  async #stop(): Promise<void> {
    if (this.#stopping === undefined || this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await this.#running;
    await this.#life?.close();
    this.#life = null;
    this.#reader.close();
    await this.#store.close();
  }

  async #step(): Promise<void> {
    const random = this.#random;
    this.#emit(this.#ledger.advance());
    if (random.percent(60)) await new Promise((resolve) => setTimeout(resolve, random.below(8)));
    if (random.percent(20) && this.#overlay !== null) await this.#history.expectPossible(this.#overlay);
    if (!random.percent(5)) return;
    await this.#stop();
    if (random.percent(50)) this.#emit(this.#ledger.advance());
    await this.#start();
  }

  #emit(blocks: ReturnType<RpcLedger["advance"]>): void {
    this.#history.note();
    this.#node.emit(blocks);
  }

  /** The chain settles and stands still but for the clock; a full rescan later everything must be true. */
  async #quiet(): Promise<void> {
    this.#emit(this.#ledger.settle());
    this.#emit(this.#ledger.pass(1));
    const settled = this.#ledger.tip.slot;
    await this.#passUntil(() => this.#source.state.rescanSlot >= settled);
    // If accounts were read at a slot that was already reported, they come with the next slot.
    const read = this.#ledger.tip.slot;
    await this.#passUntil(() => this.#overlay!.state.confirmedSlot > read);
    await this.#expectState("confirmed");
    await this.#expectState("processed");
    this.#ledger.finalizeAll();
    await this.#passUntil(() => this.#overlay!.state.finalizedSlot > read);
    await this.#expectState("finalized");
    await this.#expectChain();
  }

  /** Every method at every commitment as over a store that was given the chain's state and nothing else. */
  async #expectChain(): Promise<void> {
    const overlay = this.#overlay!;
    const clean = new Map<Slot, Promise<NaiveStore>>();
    // An event may still arrive between the two answers: the model answers at the slot of the real view.
    const slots = new Map<Commitment, Slot>();
    const real: ViewSource = {
      openView: async (commitment) => {
        const view = await overlay.openView(commitment);
        slots.set(commitment, view.slot);
        return view;
      },
    };
    const model: ViewSource = {
      openView: async (commitment) => {
        const slot = slots.get(commitment)!;
        const store = clean.get(slot) ?? this.#cleanAt(slot);
        clean.set(slot, store);
        return (await store).openView();
      },
    };
    await expectSameAnswers({
      real,
      model,
      random: this.#asking,
      simulation: this.#simulation,
      calls: CALLS_PER_QUIET,
      callOf: callOfTheLiving,
    });
  }

  async #cleanAt(slot: Slot): Promise<NaiveStore> {
    const clean = new NaiveStore();
    clean.coverage = this.#coverage;
    await createIndexer(clean, { closeFromTransactions: false }).apply(this.#stateAt(slot));
    return clean;
  }

  #passUntil(holds: () => boolean): Promise<void> {
    return this.#until(holds, () => this.#ledger.pass(1));
  }

  async #until(holds: () => boolean, goOn: () => ReturnType<RpcLedger["advance"]>): Promise<void> {
    for (let round = 0; !holds(); round += 1) {
      // A hang is reported with what it hangs at.
      if (round > ROUNDS_MAX)
        expect({ ...this.#source.state, problems: this.#problems.slice(-5) }).toBe("going on");
      this.#emit(goOn());
      for (let wait = 0; wait < 25 && !holds(); wait += 1) {
        await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, 4))]);
      }
    }
  }

  #expectState(commitment: Commitment): Promise<void> {
    const isFollowed = (account: Account, address: string): boolean => this.#isFollowed(account, address);
    return this.#history.expectState(this.#overlay!, commitment, isFollowed);
  }

  #isFollowed({ programOwner }: Account, address: string): boolean {
    return programs.includes(encodeAddress(programOwner)) || this.#singles.includes(address);
  }

  /**
   * The store is as one that was reported the same without any trouble between; and its accounts and leaves are those of a
   * store that was given the chain's last state and every transaction.
   */
  async #expectSound(): Promise<void> {
    const [store, reported, clean] = ["index.db", "reported.db", "clean.db"].map((name) =>
      openSqliteStore({ file: join(this.#folder, name), mode: "write" }),
    ) as [IndexStore, IndexStore, IndexStore];
    try {
      expect(await store.checkIntegrity()).toEqual([]);
      expect(await verifyAssets(store)).toMatchObject({ differing: 0 });
      await this.#model.reportAgain(reported);
      expect(await indexContent(store)).toBe(await indexContent(reported));
      const finalized = (await store.readWatermark())!.slot;
      await createIndexer(clean, { closeFromTransactions: false }).apply(this.#stateAt(finalized));
      expect(await lastStateOf(store)).toEqual(await lastStateOf(clean));
    } finally {
      for (const one of [store, reported, clean]) await one.close();
    }
  }

  /** The followed accounts and all transactions of the chain, as of a slot. */
  #stateAt(slot: Slot): Parameters<ReturnType<typeof createIndexer>["apply"]>[0] {
    const accounts = [...this.#ledger.stateAt(slot)]
      .filter(([address, account]) => this.#isFollowed(account, address))
      .map(([, account]) => account);
    const transactions = this.#ledger.blocks(0, slot).flatMap((block) => block.transactions);
    expect(transactions.length).toBeGreaterThan(0);
    return { accounts, transactions, watermark: { slot, blockhash: null } };
  }
}
