import type {
  Account,
  ChangeSet,
  Commitment,
  CommitReceipt,
  IndexStore,
  OnlyRead,
  ViewSource,
  ReadView,
  Slot,
  Transaction,
  UnfinalizedWriter,
  Watermark,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { mergeDeltas } from "../engine/delta-draft.ts";
import { layer } from "../engine/layer.ts";
import type { StateReader } from "../engine/state-reader.ts";
import type { ReportProblem } from "../rules/rules.ts";
import { BaseFacts } from "./base-facts.ts";
import { deriveDelta } from "./derive-delta.ts";
import { versionsPerRootCommitMax, viewAttemptsMax } from "./limits.ts";
import { isOverBounds, type OverlayBounds, stalledAt } from "./overlay-bounds.ts";
import { isNewest, OverlayView } from "./overlay-view.ts";
import { SharedSlots } from "./shared-slots.ts";
import { type SlotNode, SlotTree } from "./slot-tree.ts";
import { fingerprintOf } from "./reported-fingerprint.ts";
import { transactionBytes } from "./transaction-bytes.ts";

/** Everything one slot wrote: whole, with several versions of an account already settled. */
export interface SlotUpdates {
  readonly slot: Slot;
  readonly parent: Slot;
  /** Base58 text; null where the source does not carry it. */
  readonly blockhash: string | null;
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
}

export interface ForkOverlayOptions extends OverlayBounds {
  /** The writer's side; its watermark is the finalized slot the overlay builds on. */
  readonly store: IndexStore;
  /** Views of the same store, usually with search answered from memory. */
  readonly viewSource: ViewSource;
  readonly onProblem?: ReportProblem;
  /** Called in the turn of the commit, before any view of the new finalized slot can be asked for. */
  readonly onCommit?: (changes: ChangeSet, receipt: CommitReceipt) => void;
  /** Shows what is above the finalized slot to other processes, and takes over what an earlier writer showed. Default: no one. */
  readonly shared?: UnfinalizedWriter;
  readonly closeFromTransactions?: boolean;
  /** Whether a closing of an account that was never known is passed over: of a stream that reports every death. */
  readonly ignoreUnknownClosings?: boolean;
}

export interface OverlayState {
  readonly finalizedSlot: Slot;
  readonly confirmedSlot: Slot;
  readonly processedSlot: Slot;
  readonly unfinalizedSlots: number;
  readonly unfinalizedVersions: number;
  /** Of account data and of transactions that slots were reported with. */
  readonly unfinalizedBytes: number;
  /** Derived above the finalized slot. */
  readonly unfinalizedAssets: number;
  /** Memory of those, documents included. */
  readonly unfinalizedAssetBytes: number;
  readonly droppedSlots: number;
  /** Unfinalized slots on which nothing stands: the ends of as many forks. */
  readonly forks: number;
}

/** What root commits took so far. */
export interface CommitStats {
  readonly commits: number;
  /** Account versions written by them. */
  readonly versions: number;
  readonly totalMs: number;
  readonly lastMs: number;
}

/**
 * The unfinalized part of the chain over a finalized store: a tree of slots, each with what it changes against its parent,
 * assets included. Views read the ancestors of one slot only; a fork that dies leaves no trace. When a slot is finalized,
 * it and its ancestors go into the store in one transaction each with the watermark.
 *
 * Calls that change the tree wait for their turn; views never wait for them.
 */
export class ForkOverlay implements ViewSource {
  readonly #options: ForkOverlayOptions;
  readonly #tree: SlotTree;
  readonly #facts = new BaseFacts();
  #shared: SharedSlots | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #stats: CommitStats = { commits: 0, versions: 0, totalMs: 0, lastMs: 0 };

  private constructor(options: ForkOverlayOptions, watermark: Watermark) {
    this.#options = options;
    this.#tree = new SlotTree(watermark);
  }

  /** @throws LamplightError `STORE__LOADING` when the store has no watermark to build on */
  static async open(options: ForkOverlayOptions): Promise<ForkOverlay> {
    const watermark = await options.store.readWatermark();
    if (watermark === null) throw new LamplightError("STORE__LOADING", { retryAfterSeconds: 5 });
    const overlay = new ForkOverlay(options, watermark);
    const { shared } = options;
    if (shared !== undefined) overlay.#shared = await SharedSlots.takeOver(shared, overlay.#tree);
    return overlay;
  }

  get commitStats(): CommitStats {
    return this.#stats;
  }

  /** Whether it is over its bounds: nothing above the finalized slot is answered or taken in until it moves. */
  get isStalled(): boolean {
    return this.#isFull();
  }

  get state(): OverlayState {
    return this.#tree.state();
  }

  /** Blockhash of a known slot: null when the source did not carry it, undefined when the slot is not known. */
  blockhashOf(slot: Slot): string | null | undefined {
    return this.#tree.blockhashOf(slot);
  }

  has(slot: Slot): boolean {
    return this.#tree.has(slot);
  }

  /** Undefined when the slot is not known. */
  parentOf(slot: Slot): Slot | undefined {
    return this.#tree.parentOf(slot);
  }

  /** Whether a known slot is shown as derived from anything else on the same parent: it may have been reported less then. */
  isShownOtherwise({ slot, parent, accounts, transactions }: SlotUpdates): boolean {
    const reported = this.#tree.reportedOf(slot);
    if (reported === null || parent !== this.#tree.parentOf(slot)) return false;
    return reported !== fingerprintOf(accounts, transactions);
  }

  /**
   * Derives a complete slot on its parent; from then on it can be read. A slot that is known is replaced, and what was
   * built on it is dropped.
   *
   * @throws LamplightError `CHAIN__PARENT_UNKNOWN`, `CHAIN__FINALITY_STALLED`
   */
  add(updates: SlotUpdates): Promise<void> {
    return this.#inTurn(() => this.#derive(updates));
  }

  /**
   * Derives known slots again: in addition to what is answered, which they replace all in one turn, so that no view stands lower
   * than one before it.
   *
   * @param all - parents first, each on the parent it had, with all their descendants
   */
  replace(all: readonly SlotUpdates[]): Promise<void> {
    return this.#inTurn(async () => {
      const anew = new Map<Slot, SlotNode>();
      for (const updates of all) anew.set(updates.slot, await this.#toNode(updates, anew));
      this.#tree.replace(anew.values());
      await this.#shared?.show(this.#tree);
    });
  }

  /** Those of the slots that are known, and their descendants; ascending. */
  branches(slots: ReadonlySet<Slot>): readonly Slot[] {
    return this.#tree.branches(slots);
  }

  /** Whether the slot is known, and the confirmed one or below it. */
  isConfirmed(slot: Slot): boolean {
    return this.#tree.isConfirmed(slot);
  }

  /** The slot and its ancestors are confirmed. Unknown slots are passed over. */
  confirm(slot: Slot): void {
    this.#tree.confirm(slot);
    this.#showSoon();
  }

  /** The slot died: it and what was built on it is forgotten. */
  drop(slot: Slot): void {
    this.#tree.drop(slot);
    this.#showSoon();
  }

  /**
   * Commits a known slot and its ancestors, forgets all forks next to them. A slot at or below the finalized slot does nothing.
   *
   * @param blockhash - of the slot, where that became known only now
   */
  root(slot: Slot, blockhash: string | null = null): Promise<void> {
    return this.#inTurn(() => {
      this.#tree.noteBlockhash(slot, blockhash);
      return this.#commitThrough(slot);
    });
  }

  /** Forgets everything above the finalized slot; the source begins again from there. */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      this.#tree.clear();
      await this.#shared?.show(this.#tree);
    });
  }

  /** @throws LamplightError `CHAIN__FINALITY_STALLED` above `finalized` while the overlay is over its bounds */
  async openView(commitment: Commitment, only?: OnlyRead): Promise<ReadView> {
    if (commitment !== "finalized" && this.#isFull()) throw stalledAt(this.#tree.state());
    for (let attempt = 0; attempt < viewAttemptsMax; attempt += 1) {
      const base = await this.#options.viewSource.openView("finalized", only);
      const tip = this.#tree.tip(commitment);
      if (isNewest(base, tip, this.#tree)) return base;
      const path = tip === null ? null : this.#tree.pathTo(tip, base.slot);
      if (path !== null && tip !== null) return new OverlayView(tip, path, base, this.#facts);
      // The finalized slot moved while the view was opened.
      base.close();
    }
    throw new LamplightError("STORE__BUSY", { limit: viewAttemptsMax });
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #derive(updates: SlotUpdates): Promise<void> {
    const { slot, parent } = updates;
    const { finalizedSlot } = this.#tree.state();
    if (slot <= finalizedSlot) return;
    const isParentKnown = this.#tree.pathTo(parent, finalizedSlot) !== null;
    if (isParentKnown && this.#isFull()) throw stalledAt(this.#tree.state());
    this.#tree.add(await this.#toNode(updates));
    await this.#shared?.show(this.#tree);
  }

  /** @throws LamplightError `CHAIN__PARENT_UNKNOWN` */
  async #toNode(updates: SlotUpdates, anew?: ReadonlyMap<Slot, SlotNode>): Promise<SlotNode> {
    const { slot, parent, blockhash } = updates;
    const { finalizedSlot } = this.#tree.state();
    const below = this.#tree.pathTo(parent, finalizedSlot, anew);
    if (below === null) throw new LamplightError("CHAIN__PARENT_UNKNOWN", { slot, parent, finalizedSlot });
    const reportedBytes = updates.transactions.reduce((sum, one) => sum + transactionBytes(one), 0);
    // Only who takes over what is shown asks what it was derived from.
    const reported = this.#shared === null ? null : fingerprintOf(updates.accounts, updates.transactions);
    const { store, onProblem, closeFromTransactions = true } = this.#options;
    const options = { closeFromTransactions, ...(onProblem === undefined ? {} : { onProblem }) };
    const { transactions } = updates;
    const accounts = await this.#known(updates.accounts, layer(store, below));
    const changes = await deriveDelta(store, below, { accounts, transactions }, options);
    return { slot, parent, blockhash, changes, reported, reportedBytes };
  }

  /** What fails here is made good, or reported, by the next slot. */
  #showSoon(): void {
    const shared = this.#shared;
    if (shared !== null) void this.#inTurn(() => shared.show(this.#tree)).catch(() => undefined);
  }

  async #known(accounts: readonly Account[], reader: StateReader): Promise<readonly Account[]> {
    if (this.#options.ignoreUnknownClosings !== true) return accounts;
    const closed = accounts.filter(({ lamports }) => lamports === 0n);
    if (closed.length === 0) return accounts;
    const states = await reader.readAccountStates(closed.map(({ address }) => address));
    const unknown = new Set(closed.filter((_, index) => states[index] === null));
    return accounts.filter((account) => !unknown.has(account));
  }

  async #commitThrough(slot: Slot): Promise<void> {
    const { finalizedSlot } = this.#tree.state();
    if (slot <= finalizedSlot) return;
    const nodes = this.#tree.nodesTo(slot, finalizedSlot);
    if (nodes === null) return;
    this.#tree.confirm(slot);
    for (const part of inParts(nodes)) {
      const { slot: top, blockhash } = part[0]!;
      const startMs = performance.now();
      const deltas = part.map(({ changes }) => changes);
      const delta = mergeDeltas(deltas, { slot: top, blockhash });
      const receipt = await this.#options.store.commit(delta);
      this.#noteCommit(delta.writes.size, performance.now() - startMs);
      // One turn from here on: no one sees the store at the new finalized slot and the overlay or the search at the old one.
      this.#tree.rootAt(top);
      this.#facts.moveRoot(delta, receipt, (id) =>
        this.#tree.someChanges(({ assetChanges }) => assetChanges.has(id)),
      );
      this.#options.onCommit?.(delta, receipt);
    }
  }

  #noteCommit(versions: number, lastMs: number): void {
    const { commits, versions: before, totalMs } = this.#stats;
    this.#stats = { commits: commits + 1, versions: before + versions, totalMs: totalMs + lastMs, lastMs };
  }

  #isFull(): boolean {
    return isOverBounds(this.#tree.state(), this.#options);
  }
}

/** Oldest part first; each a whole number of slots, newest first, within the bound of a commit where one slot allows it. */
const inParts = (nodes: readonly SlotNode[]): SlotNode[][] => {
  const parts: SlotNode[][] = [[]];
  let versions = 0;
  for (const node of nodes.toReversed()) {
    const { size } = node.changes.writes;
    if (versions > 0 && versions + size > versionsPerRootCommitMax) {
      parts.push([]);
      versions = 0;
    }
    parts.at(-1)!.unshift(node);
    versions += size;
  }
  return parts;
};
