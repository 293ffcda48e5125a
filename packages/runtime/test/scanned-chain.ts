// A chain that moves, and stores of some of its programs that follow an RPC node of it.
import { encodeAddress } from "@lamplight/codecs";
import type { Transaction } from "@lamplight/core";
import { BubblegumTree } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { engineOf } from "../src/engine/engines.ts";
import type { Following } from "../src/follow/following.ts";
import { CoveredChain } from "./covered-chain.ts";

const POLL_MS = 20;
const RESCAN_MS = 50;

export class ScannedChain extends CoveredChain {
  override readonly seesEveryWrite = false;
  readonly tree = encodeAddress(new BubblegumTree(1).address);
  readonly ledger = new RpcLedger(this.simulation, [this.tree]);
  readonly node: SimulatedRpc;
  readonly #withSocket: boolean;
  #address = "";

  constructor(seed: number, withSocket: boolean) {
    super(seed);
    this.node = new SimulatedRpc({ ledger: this.ledger, seed });
    this.#withSocket = withSocket;
  }

  override async start(): Promise<void> {
    this.#address = await this.node.start();
  }

  override async follow(url: string): Promise<Following> {
    const store = await engineOf(url).openWriter(url, { create: false, follows: true });
    return this.followFrom(url, store, {
      kind: "rpc",
      url: `http://${this.#address}`,
      socketUrl: this.#withSocket ? `ws://${this.#address}` : null,
      targets: { programs: [], accounts: [], mints: [], trees: [] },
      pollMs: POLL_MS,
      rescanMs: RESCAN_MS,
    });
  }

  /** Finalized transactions of the tree, oldest first. */
  get treeTransactions(): readonly Transaction[] {
    return this.ledger.blocks(0, this.ledger.final.slot).flatMap(({ transactions }) => transactions);
  }

  /** Puts transactions into a store that no process follows. */
  async apply(url: string, transactions: readonly Transaction[]): Promise<void> {
    const store = await engineOf(url).openWriter(url, { create: false });
    await createIndexer(store).applyTransactions(transactions, null);
    await store.close();
  }

  protected override async next(): Promise<void> {
    const { slot } = this.ledger.final;
    this.node.emit(this.ledger.advance());
    await this.untilFinal(slot);
  }

  /** Finalizes everything. A node does not notify what was closed, so each store reads everything once more. */
  override async settle(): Promise<void> {
    this.node.emit(this.ledger.settle());
    const settled = this.ledger.tip.slot;
    const isSettled = (live: Following): boolean => {
      const { rescan } = live.status().detail as { readonly rescan: { readonly slot: number } };
      return rescan.slot > settled;
    };
    await this.#passUntil(isSettled);
    const read = this.ledger.tip.slot;
    await this.#passUntil((live) => (live.finalizedSlot ?? 0) > read);
  }

  async #passUntil(holds: (live: Following) => boolean): Promise<void> {
    while (![...this.live.values()].every(holds)) {
      const blocks = this.ledger.pass(1);
      this.ledger.finalizeAll();
      this.node.emit(blocks);
      await this.untilFinal(0);
    }
  }

  override async stop(): Promise<void> {
    for (const url of this.live.keys()) await this.stopFollowing(url);
    await this.node.stop();
  }
}
