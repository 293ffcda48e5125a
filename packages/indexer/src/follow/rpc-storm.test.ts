// An ordinary RPC node on loopback, from its sockets to the store, through everything that such nodes do: lost
// connections, limits, nodes that are behind, notifications that never come or come twice or late, no WebSocket at all.
// What a reader sees meanwhile is never newer than its slot and never made up; at quiet moments it is the chain's state.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account, Commitment, IndexStore, Slot } from "@lamplight/core";
import { BubblegumTree, ChainSimulation, Random } from "@lamplight/devchain";
import { noFaults, RpcLedger, type RpcFaults, SimulatedRpc } from "@lamplight/devchain/upstream";
import { RpcSource } from "@lamplight/sources";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { describe, expect, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { verifyAssets } from "../verify/verify-assets.ts";
import { readStoredAccounts, readTreeSlot } from "./confirmed-base.ts";
import { ConfirmedFollower } from "./confirmed-follower.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? (process.env["LAMPLIGHT_FORK_SEED"] ? 1 : 6));
const steps = 25;
const quietMoments = 2;
const roundsMax = 200;

const tree = encodeAddress(new BubblegumTree(1).address);
const programs = [programAddresses.token, programAddresses.token2022, programAddresses.tokenMetadata].map(
  (program) => encodeAddress(program),
);
const clock = "SysvarC1ock11111111111111111111111111111111";

class RpcStorm {
  readonly #random: Random;
  readonly #ledger: RpcLedger;
  readonly #node: SimulatedRpc;
  readonly #folder = mkdtempSync(join(tmpdir(), "lamplight-rpc-"));
  readonly #singles: readonly string[];
  readonly #withSocket: boolean;
  /** Every state an account ever had on the chain, with the slot it began at. */
  readonly #history = new Map<string, { readonly slot: Slot; readonly content: string }[]>();
  #address = "";
  #store!: IndexStore;
  #reader!: SqliteReader;
  #overlay: ForkOverlay | null = null;
  #source!: RpcSource;
  #stopping!: AbortController;
  #running: Promise<void> = Promise.resolve();
  #told: Slot = -1;
  readonly #problems: string[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed, 600, 0);
    const simulation = new ChainSimulation({ seed, isStormy: true });
    this.#ledger = new RpcLedger(simulation, [tree]);
    this.#node = new SimulatedRpc({ ledger: this.#ledger, seed });
    const others = simulation.genesis.accounts
      .filter(({ programOwner }) => !programs.includes(encodeAddress(programOwner)))
      .slice(0, 4);
    this.#singles = [clock, tree, ...others.map(({ address }) => encodeAddress(address))];
    this.#withSocket = this.#random.percent(75);
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
      for (let moment = 0; moment < quietMoments; moment += 1) {
        this.#node.faults = randomFaults(this.#random);
        for (let step = 0; step < steps; step += 1) await this.#step();
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
    const watermark = await this.#store.readWatermark();
    const url = `http://${this.#address}`;
    this.#source = new RpcSource({
      url,
      socketUrl: `ws://${this.#address}`,
      targets: { programs, accounts: this.#singles, mints: [], trees: [tree] },
      base: {
        watermark,
        lacking: null,
        readAccounts: () => readStoredAccounts(this.#store),
        readTreeSlot: async (each) =>
          readTreeSlot(this.#store, each, (await this.#store.readWatermark())?.slot ?? 0),
      },
      signal: this.#stopping.signal,
      isHeld: () => this.#overlay?.isStalled ?? false,
      onProblem: ({ message }) => this.#problems.push(message),
      pollMs: 10,
      censusMs: 40,
      retryMs: 1,
    });
    this.#running = this.#follow(watermark !== null);
    this.#running.catch(() => {});
  }

  async #follow(isFilled: boolean): Promise<void> {
    const indexer = createIndexer(this.#store, { closeFromTransactions: false });
    const open = () =>
      ForkOverlay.open({ store: this.#store, readable: this.#reader, closeFromTransactions: false });
    if (isFilled) this.#overlay = await open();
    let follower = this.#overlay === null ? null : new ConfirmedFollower(this.#overlay);
    for await (const event of this.#source.events()) {
      if (event.kind === "fill") await indexer.apply({ ...event, watermark: null });
      else if (event.kind === "filled") {
        await indexer.applyAccounts([], event.watermark);
        this.#overlay = await open();
        follower = new ConfirmedFollower(this.#overlay);
      } else await follower!.take(event);
    }
  }

  async #stop(): Promise<void> {
    if (this.#stopping === undefined || this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await this.#running;
    this.#reader.close();
    await this.#store.close();
  }

  async #step(): Promise<void> {
    const random = this.#random;
    this.#tell(this.#ledger.advance());
    if (random.percent(60)) await new Promise((resolve) => setTimeout(resolve, random.below(8)));
    if (random.percent(20)) await this.#checkMoment();
    if (!random.percent(5)) return;
    await this.#stop();
    if (random.percent(50)) this.#tell(this.#ledger.advance());
    await this.#start();
  }

  #tell(blocks: ReturnType<RpcLedger["advance"]>): void {
    this.#noteHistory();
    this.#node.tell(blocks);
  }

  #noteHistory(): void {
    const { tip } = this.#ledger;
    for (const block of this.#ledger.blocks(this.#told, tip.slot)) {
      for (const account of block.writes) {
        const address = encodeAddress(account.address);
        const list = this.#history.get(address) ?? [];
        list.push({ slot: block.slot, content: contentOf(account) });
        this.#history.set(address, list);
      }
    }
    this.#told = tip.slot;
  }

  /** Whatever is missing: nothing from beyond the view's slot, nothing that never was, and finalized is final. */
  async #checkMoment(): Promise<void> {
    const overlay = this.#overlay;
    if (overlay === null) return;
    for (const commitment of ["processed", "confirmed", "finalized"] as const) {
      const view = await overlay.openView(commitment);
      try {
        if (commitment === "finalized") expect(view.slot).toBeLessThanOrEqual(this.#ledger.final.slot);
        for (const [address, states] of this.#history) {
          const account = await view.accounts.findAccount(decodeAddress(address));
          if (account === null) continue;
          const possible = states.filter(({ slot }) => slot <= view.slot).map(({ content }) => content);
          expect([address, commitment, ...possible]).toContain(contentOf(account));
        }
      } finally {
        view.close();
      }
    }
  }

  /** The chain settles and stands still but for the clock; a census later everything must be true. */
  async #quiet(): Promise<void> {
    this.#tell(this.#ledger.settle());
    this.#tell(this.#ledger.pass(1));
    const settled = this.#ledger.tip.slot;
    await this.#passUntil(() => this.#source.state.censusSlot >= settled);
    // What was read at a slot that was told before comes with the next one.
    const read = this.#ledger.tip.slot;
    await this.#passUntil(() => this.#overlay!.state.confirmedSlot > read);
    await this.#expectState("confirmed");
    await this.#expectState("processed");
    this.#ledger.finalizeAll();
    await this.#passUntil(() => this.#overlay!.state.rootedSlot > read);
    await this.#expectState("finalized");
  }

  #passUntil(holds: () => boolean): Promise<void> {
    return this.#until(holds, () => this.#ledger.pass(1));
  }

  async #until(holds: () => boolean, goOn: () => ReturnType<RpcLedger["advance"]>): Promise<void> {
    for (let round = 0; !holds(); round += 1) {
      // A hang is told with what it hangs at.
      if (round > roundsMax)
        expect({ ...this.#source.state, problems: this.#problems.slice(-5) }).toBe("going on");
      this.#tell(goOn());
      for (let wait = 0; wait < 25 && !holds(); wait += 1) {
        await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, 4))]);
      }
    }
  }

  async #expectState(commitment: Commitment): Promise<void> {
    const view = await this.#overlay!.openView(commitment);
    try {
      const truth = this.#ledger.stateAt(view.slot);
      for (const address of this.#history.keys()) {
        if (address === clock) continue;
        const account = await view.accounts.findAccount(decodeAddress(address));
        const wanted = truth.get(address);
        const isFollowed = wanted !== undefined && this.#isFollowed(wanted, address);
        expect([commitment, address, account === null ? null : contentOf(account)]).toEqual([
          commitment,
          address,
          isFollowed ? contentOf(wanted) : null,
        ]);
      }
    } finally {
      view.close();
    }
  }

  #isFollowed({ programOwner }: Account, address: string): boolean {
    return programs.includes(encodeAddress(programOwner)) || this.#singles.includes(address);
  }

  /** Assets follow from the accounts, and leaves are those of a run that had every transaction. */
  async #expectSound(): Promise<void> {
    const store = openSqliteStore({ file: join(this.#folder, "index.db"), mode: "write" });
    const clean = openSqliteStore({ file: join(this.#folder, "clean.db"), mode: "write" });
    try {
      expect(await store.checkIntegrity()).toEqual([]);
      expect(await verifyAssets(store)).toMatchObject({ differing: 0 });
      const rooted = (await store.readWatermark())!.slot;
      const transactions = this.#ledger.blocks(0, rooted).flatMap((block) => block.transactions);
      await createIndexer(clean).apply({ accounts: [], transactions, watermark: null });
      expect(await leavesOf(store)).toEqual(await leavesOf(clean));
      expect(transactions.length).toBeGreaterThan(0);
    } finally {
      await clean.close();
      await store.close();
    }
  }
}

const randomFaults = (random: Random): RpcFaults => {
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
    cut: some(12),
    far: some(5),
  };
};

const contentOf = ({ lamports, programOwner, executable, rentEpoch, data }: Account): string =>
  `${lamports} ${encodeAddress(programOwner)} ${executable} ${rentEpoch} ${Buffer.from(data).toString("base64")}`;

const leavesOf = async (store: IndexStore): Promise<readonly string[]> => {
  const assets = await store.readAssetPage(0, 1000);
  return assets
    .filter(({ document }) => document.includes('"compressed":true'))
    .map(({ document, createdSlot, updatedSlot }) => `${document} ${createdSlot} ${updatedSlot}`)
    .toSorted();
};

describe("following an RPC node", () => {
  test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
    "seed %i: through its sockets nothing is made up meanwhile, and everything is true at quiet moments",
    async (seed) => {
      try {
        await new RpcStorm(seed).run();
      } catch (error) {
        console.error(
          `repeat with: LAMPLIGHT_FORK_SEED=${seed} npx vitest run packages/indexer/src/follow/rpc-storm.test.ts`,
        );
        throw error;
      }
    },
  );
});
