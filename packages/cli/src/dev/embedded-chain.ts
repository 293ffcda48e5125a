import { setTimeout as sleep } from "node:timers/promises";
import type { Account, Consensus, IndexStore, LiveStatus, ViewSource, Slot } from "@lamplight/core";
import { demoChain, LivingChain, type WorldSlot } from "@lamplight/devchain";
import { ChainFollower, createIndexer, fillHolders, ForkOverlay, keepNodes } from "@lamplight/indexer";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { type OpenedReader, openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { documentRow, keepSampleDocuments } from "./sample-documents.ts";

export interface EmbeddedChainOptions {
  /** A file that is made. */
  readonly file: string;
  readonly seed: number;
  /** Accounts of another chain that are there from the start. */
  readonly cloned: readonly Account[];
  /** Decides when a confirmed slot is finalized. */
  readonly consensus: Consensus;
}

/** Confirmed slots above the finalized one, as on the real chain. */
export const finalAfterSlots: Readonly<Record<Consensus, number>> = { towerbft: 32, alpenglow: 0 };

/** The sample chain in a store of its own, going on slot by slot. A slot is confirmed at once. */
export class EmbeddedChain {
  readonly living: LivingChain;
  readonly viewSource: ViewSource;
  readonly search: SearchLife;
  readonly #store: IndexStore;
  readonly #reader: OpenedReader;
  readonly #overlay: ForkOverlay;
  readonly #follower: ChainFollower;
  readonly #stopping = new AbortController();
  /** Confirmed and not finalized yet, oldest first. */
  readonly #unfinal: Pick<WorldSlot, "slot" | "blockhash">[] = [];
  readonly #consensus: Consensus;
  #slot: Slot;
  #running: Promise<void> = Promise.resolve();

  private constructor(parts: {
    readonly living: LivingChain;
    readonly store: IndexStore;
    readonly reader: OpenedReader;
    readonly search: SearchLife;
    readonly overlay: ForkOverlay;
    readonly slot: Slot;
    readonly consensus: Consensus;
  }) {
    this.living = parts.living;
    this.#store = parts.store;
    this.#reader = parts.reader;
    this.search = parts.search;
    this.#overlay = parts.overlay;
    this.#slot = parts.slot;
    this.#consensus = parts.consensus;
    this.#follower = new ChainFollower({ overlay: parts.overlay });
    this.viewSource = parts.overlay;
  }

  static async open({ file, seed, cloned, consensus }: EmbeddedChainOptions): Promise<EmbeddedChain> {
    const url = `sqlite:${file}`;
    const store = await openStoreForWriting(url, { create: true });
    // It costs little over so few trees, and proofs can be asked for at any time.
    await keepNodes(store);
    const base = await loadSample(store, cloned);
    const living = new LivingChain({ seed, firstSlot: base + 1 });
    const first = living.next();
    const { slot, blockhash, accounts, transactions } = first;
    await createIndexer(store).apply({ accounts, transactions, watermark: { slot, blockhash } });
    await store.writeCoverage({ kind: "whole" });
    if (store.holders !== undefined) await fillHolders(store, store.holders);
    const reader = await openStoreForReading(url);
    const search = await startSearchLife({ viewSource: reader, file: null });
    const overlay = await ForkOverlay.open({
      store,
      viewSource: reader,
      over: (view) => search.over(view),
      closeFromTransactions: false,
      onCommit: () => void search.catchUp(),
    });
    const chain = new EmbeddedChain({ living, store, reader, search, overlay, slot, consensus });
    await chain.#keepDocuments(first);
    await search.filled;
    return chain;
  }

  get slot(): Slot {
    return this.#slot;
  }

  status(): LiveStatus {
    const { confirmedSlot, finalizedSlot } = this.#overlay.state;
    return {
      isReady: true,
      detail: { status: "moving", consensus: this.#consensus, confirmedSlot, finalizedSlot },
    };
  }

  /** Moves on, a slot every `slotMs` milliseconds. Rejects when the chain cannot go on; resolves after `stop`. */
  run(slotMs: number): Promise<void> {
    this.#running = this.#run(slotMs);
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running.catch(() => undefined);
    await this.search.close();
    this.#reader.close();
    await this.#store.close();
  }

  async #run(slotMs: number): Promise<void> {
    const { signal } = this.#stopping;
    for (let dueMs = performance.now() + slotMs; !signal.aborted;) {
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#step();
      // A slow machine has longer slots, and never two at once.
      dueMs = Math.max(dueMs + slotMs, performance.now());
    }
  }

  async #step(): Promise<void> {
    const next = this.living.next();
    const { slot, blockhash, accounts, transactions } = next;
    await this.#keepDocuments(next);
    await this.#follower.take({ kind: "confirmed", slot, parent: this.#slot, accounts, transactions });
    this.#slot = slot;
    this.#unfinal.push({ slot, blockhash });
    if (this.#unfinal.length <= finalAfterSlots[this.#consensus]) return;
    await this.#follower.take({ kind: "slot", parent: null, status: "finalized", ...this.#unfinal.shift()! });
  }

  /** No document is fetched: the chain has written them. */
  async #keepDocuments({ documents }: WorldSlot): Promise<void> {
    if (documents.length > 0) await this.#store.offchain?.writeRows(documents.map(documentRow));
  }
}

/** @returns the highest slot */
const loadSample = async (store: IndexStore, cloned: readonly Account[]): Promise<Slot> => {
  const indexer = createIndexer(store);
  let highest = 0;
  for (const { slot, blockhash, accounts } of demoChain()) {
    await indexer.applyAccounts(accounts, { slot, blockhash });
    highest = slot;
  }
  await keepSampleDocuments(store);
  if (cloned.length === 0) return highest;
  const slot = highest + 1;
  const moved = cloned.map((account, index) => ({ ...account, slot, writeVersion: index }));
  await indexer.applyAccounts(moved, { slot, blockhash: null });
  return slot;
};
