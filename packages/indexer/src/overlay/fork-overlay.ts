import {
  type Commitment,
  type NextProgress,
  type Opening,
  type ViewSource,
  type ReadView,
  type Slot,
  type Watermark,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { mergeDeltas } from "../engine/delta-draft.ts";
import type { Path } from "../engine/delta.ts";
import { layer } from "../engine/layer.ts";
import type { StateReader } from "../engine/state-reader.ts";
import type { AssetSample } from "../engine/sample-assets.ts";
import { RulesSwitch } from "../next/rules-switch.ts";
import type { DerivationRules } from "../rules/rules.ts";
import { FinalizedFacts } from "./finalized-facts.ts";
import { withWholeBlocks } from "../engine/whole-blocks.ts";
import { deriveDelta } from "./derive-delta.ts";
import { FillQueue } from "./fill-queue.ts";
import { fillUpdates } from "./fill-updates.ts";
import { commitParts } from "./commit-parts.ts";
import { type CommitStats, noCommits, withCommit } from "./commit-stats.ts";
import { withoutUnknownClosings } from "./known-closings.ts";
import { VIEW_ATTEMPTS_MAX } from "./limits.ts";
import { isHalfFull, isOverBounds, stalledAt } from "./overlay-bounds.ts";
import type { ForkOverlayOptions } from "./overlay-options.ts";
import { finalizedKeepsMoving, isNewest, OverlayView } from "./overlay-view.ts";
import { SharedSlots } from "./shared-slots.ts";
import { readingOnce } from "./stored-data.ts";
import { type SlotNode, SlotTree } from "./slot-tree.ts";
import type { SlotUpdates } from "./slot-updates.ts";
import { fingerprintOf } from "./reported-fingerprint.ts";
import { Standstill } from "./standstill.ts";
import { transactionBytes } from "./transaction-bytes.ts";
import type { OverlayState } from "./overlay-state.ts";

/**
 * The unfinalized part of the chain over a finalized store: a tree of slots, each with its changes and derived
 * assets. A view reads the ancestors of one slot only.
 *
 * When a slot is finalized, it and its ancestors are committed, each transaction with the watermark. Calls that
 * change the tree run one after the other. Views never wait for them.
 */
export class ForkOverlay implements ViewSource {
  readonly #options: ForkOverlayOptions;
  readonly #tree: SlotTree;
  /** It holds pages that a change of the coverage adds to slots. */
  readonly fill: FillQueue = new FillQueue();
  #facts = new FinalizedFacts();
  readonly #switch: RulesSwitch;
  #shared: SharedSlots | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #stats = noCommits;

  private constructor(options: ForkOverlayOptions, watermark: Watermark, rules: RulesSwitch) {
    this.#options = options;
    this.#switch = rules;
    this.#tree = new SlotTree(watermark, new Standstill(options.now));
  }

  /**
   * @throws LamplightError `STORE__LOADING` when the store has no watermark to start from
   * @throws LamplightError `STORE__OTHER_RULES`
   */
  static async open(options: ForkOverlayOptions): Promise<ForkOverlay> {
    const watermark = await options.store.readWatermark();
    if (watermark === null) throw new LamplightError("STORE__LOADING", { retryAfterSeconds: 5 });
    const { shared, store } = options;
    const rulesSwitch = await RulesSwitch.open(store, options);
    const overlay = new ForkOverlay(options, watermark, rulesSwitch);
    const needsNext = rulesSwitch.rules.next !== null;
    if (shared !== undefined)
      overlay.#shared = await SharedSlots.takeOver(shared, store, overlay.#tree, needsNext);
    return overlay;
  }

  /** Version of the rules that derived the assets that answer. */
  get rulesVersion(): number {
    return this.#switch.rules.rules.version;
  }

  /** How far the assets of the store are derived by the rules of this version; null = they are, or need not be. */
  get nextProgress(): NextProgress | null {
    return this.#switch.progress;
  }

  /**
   * Derives one more page of the next set. Once that is filled, the next finalized slot makes its assets those that
   * answer.
   */
  fillNext(): Promise<NextProgress | null> {
    return this.#inTurn(() => this.#switch.fill());
  }

  /**
   * Compares some assets of the store with what the rules of its rows derive from their accounts.
   *
   * @returns null in a store that cannot list them, and while its rules change
   */
  sampleAssets(ids: number): Promise<AssetSample | null> {
    return this.#inTurn(() => this.#switch.sample(ids));
  }

  /** Lets other work write the store, while no slot is derived or committed. */
  whileIdle<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(work);
  }

  get commitStats(): CommitStats {
    return this.#stats;
  }

  /**
   * Whether a bound is exceeded. Until the finalized slot advances, unfinalized slots are neither answered nor
   * accepted.
   */
  get isStalled(): boolean {
    return isOverBounds(this.#tree.state(), this.#options);
  }

  get state(): OverlayState {
    return this.#tree.state();
  }

  /** Blockhash of a known slot: null where the source did not report it, undefined where the slot is not known. */
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

  /** Changes of the unfinalized slots up to a slot, newest first; null where it is not known. */
  pathTo(slot: Slot): Path | null {
    return this.#tree.pathTo(slot, this.#tree.finalizedSlot);
  }

  /**
   * Whether a known slot was published with other updates, or with another parent: an earlier process may have
   * received less of it.
   */
  differsFromPublished({ slot, parent, accounts, transactions }: SlotUpdates): boolean {
    const reported = this.#tree.reportedOf(slot);
    if (reported === null || parent !== this.#tree.parentOf(slot)) return false;
    return reported !== fingerprintOf(accounts, transactions);
  }

  /**
   * Derives a complete slot on its parent and makes it readable. A known slot is replaced, and its descendants are
   * dropped.
   *
   * @throws LamplightError `CHAIN__PARENT_UNKNOWN`, `CHAIN__FINALITY_STALLED`
   */
  add(updates: SlotUpdates): Promise<void> {
    return this.#inTurn(() => this.#deriveNew(updates));
  }

  /**
   * Derives known slots again. They replace the old ones in a single turn, so no later view has a lower slot than an
   * earlier one.
   *
   * @param all - parents first, each on the parent it had, with all their descendants
   */
  replace(all: readonly SlotUpdates[]): Promise<void> {
    return this.#inTurn(() => this.#derive(all, (nodes) => this.#tree.replace(nodes)));
  }

  /** The known ones among these slots and their descendants, ascending. */
  branches(slots: ReadonlySet<Slot>): readonly Slot[] {
    return this.#tree.branches(slots);
  }

  /** Whether the slot is known, and is the confirmed slot or an ancestor of it. */
  isConfirmed(slot: Slot): boolean {
    return this.#tree.isConfirmed(slot);
  }

  /** The slot and its ancestors are confirmed. Unknown slots are ignored. */
  confirm(slot: Slot): void {
    this.#tree.confirm(slot);
    this.#publishSoon();
  }

  /** Drops a dead slot and its descendants. */
  drop(slot: Slot): void {
    this.#tree.drop(slot);
    this.#publishSoon();
  }

  /**
   * Commits a known slot and its ancestors, and drops all sibling forks. A slot at or below the finalized slot does
   * nothing.
   *
   * @param blockhash - of the slot, where the source reports it only now
   */
  finalize(slot: Slot, blockhash: string | null = null): Promise<void> {
    return this.#inTurn(() => {
      this.#tree.noteBlockhash(slot, blockhash);
      return this.#commitThrough(slot);
    });
  }

  /** Drops every unfinalized slot. The source starts again from the finalized one. */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      this.#tree.clear();
      await this.#shared?.show(this.#tree);
    });
  }

  /**
   * @throws LamplightError `CHAIN__FINALITY_STALLED` for other commitments than `finalized` while a bound is exceeded
   * @throws LamplightError `SERVER__BUSY` where the finalized slot moves during every attempt
   */
  async openView(commitment: Commitment, opening?: Opening): Promise<ReadView> {
    if (commitment !== "finalized" && this.isStalled) throw stalledAt(this.#tree.state());
    const { viewSource, over } = this.#options;
    for (let attempt = 0; attempt < VIEW_ATTEMPTS_MAX; attempt += 1) {
      const finalized = await viewSource.openView("finalized", opening);
      const slot = this.#tree.newest(commitment);
      if (isNewest(finalized, slot, this.#tree)) return over?.(finalized) ?? finalized;
      const path = slot === null ? null : this.#tree.pathTo(slot, finalized.slot);
      if (path !== null && slot !== null) return this.#viewOver(finalized, path, slot);
      // The finalized slot moved while the view was being opened.
      finalized.close();
    }
    throw finalizedKeepsMoving();
  }

  #viewOver(finalized: ReadView, path: Path, slot: Slot): ReadView {
    const { over } = this.#options;
    if (!this.#switch.isCommittedAt(finalized.slot))
      return new OverlayView(slot, path, finalized, this.#facts, over);
    // The switch is committed, and its receipt is not here yet: the facts are still of the old rows.
    const byNextRules = path.map((changes) => changes.byNextRules());
    return new OverlayView(slot, byNextRules, finalized, new FinalizedFacts(), over);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #deriveNew(updates: SlotUpdates): Promise<void> {
    if (updates.slot <= this.#tree.finalizedSlot) return;
    if (this.pathTo(updates.parent) !== null && this.isStalled) throw stalledAt(this.#tree.state());
    await this.#derive([updates], ([node]) => this.#tree.add(node!));
  }

  async #derive(all: readonly SlotUpdates[], put: (nodes: readonly SlotNode[]) => void): Promise<void> {
    const nodes = new Map<Slot, SlotNode>();
    const read = readingOnce(this.#options.store);
    for (const updates of all) nodes.set(updates.slot, await this.#toNode(updates, read.store, nodes));
    put([...nodes.values()]);
    await this.#shared?.show(this.#tree, read.data);
  }

  /** @throws LamplightError `CHAIN__PARENT_UNKNOWN` */
  async #toNode(updates: SlotUpdates, store: StateReader, replacing: Map<Slot, SlotNode>): Promise<SlotNode> {
    const { slot, parent, blockhash } = updates;
    const { finalizedSlot } = this.#tree;
    const below = this.#tree.pathTo(parent, finalizedSlot, replacing);
    if (below === null) throw new LamplightError("CHAIN__PARENT_UNKNOWN", { slot, parent, finalizedSlot });
    const reportedBytes = updates.transactions.reduce((sum, one) => sum + transactionBytes(one), 0);
    // Only the process that takes over published slots compares fingerprints.
    const reported = this.#shared === null ? null : fingerprintOf(updates.accounts, updates.transactions);
    const reader = layer(store, below);
    const isKnown = this.#options.ignoreUnknownClosings === true && !this.fill.keepsClosings;
    const own = isKnown ? await withoutUnknownClosings(updates.accounts, reader) : updates.accounts;
    const last = this.#tree.filledOf(parent, replacing) ?? this.fill.committed;
    const page = isHalfFull(this.#tree.state(), this.#options) ? null : this.fill.pageAfter(last, slot);
    const { accounts, transactions, forgotten } = await fillUpdates(page, reader);
    const step = {
      accounts: [...accounts, ...own],
      transactions: [...transactions, ...updates.transactions],
      forgotten,
    };
    const changes = await deriveDelta(store, below, step, this.#switch.rules, this.#options);
    const filled = page === null ? last : last + 1;
    return { slot, parent, blockhash, changes, reported, reportedBytes, filled };
  }

  /** A failure here is reported, or corrected with the next slot. */
  #publishSoon(): void {
    const shared = this.#shared;
    if (shared !== null) void this.#inTurn(() => shared.show(this.#tree)).catch(() => undefined);
  }

  async #commitThrough(slot: Slot): Promise<void> {
    const { finalizedSlot } = this.#tree;
    if (slot <= finalizedSlot) return;
    const nodes = this.#tree.nodesTo(slot, finalizedSlot);
    if (nodes === null) return;
    this.#tree.confirm(slot);
    const next = this.#switch.due;
    for (const part of commitParts(nodes)) {
      const { slot: top, blockhash, filled } = part[0]!;
      const startMs = performance.now();
      const deltas = part.map(({ changes }) => (next === null ? changes : changes.byNextRules()));
      const delta = mergeDeltas(deltas, { slot: top, blockhash });
      // The first part switches the rules.
      const due = this.#switch.due;
      // A view of another process must never combine slots of one version of the rules with rows of the other.
      const shown = due === null ? undefined : await this.#shared?.byNextRules(this.#tree, top);
      const { store } = this.#options;
      const whole = await withWholeBlocks(store, delta);
      const receipt = await (due === null
        ? store.commit(whole)
        : this.#switch.commit(due, whole, top, shown));
      this.#stats = withCommit(this.#stats, delta.writes.size, performance.now() - startMs);
      // No await from here on. A view must never combine the new finalized slot with the old overlay or search index.
      if (due !== null) this.#switchRules(due);
      this.#tree.moveFinalizedTo(top);
      this.#facts.applyFinalized(delta, receipt, (id) =>
        this.#tree.someChanges(({ assetChanges }) => assetChanges.has(id)),
      );
      this.#options.onCommit?.(delta, receipt);
      this.fill.noteCommitted(filled);
      if (shown !== undefined && this.#shared?.isIn(store) === false) await this.#shared.exchange(shown);
    }
    if (next !== null) await this.#shared?.show(this.#tree);
  }

  /** The slots above the store were derived by both versions. */
  #switchRules(next: DerivationRules): void {
    const nodes = this.#tree.nodes();
    this.#tree.replace(nodes.map((node) => ({ ...node, changes: node.changes.byNextRules() })));
    this.#facts = new FinalizedFacts();
    this.#switch.end(next);
  }
}
