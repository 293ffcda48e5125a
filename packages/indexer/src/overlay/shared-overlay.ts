import { setTimeout as sleep } from "node:timers/promises";
import {
  type Commitment,
  type NewestAnswered,
  type Opening,
  type ViewSource,
  type ReadView,
  type Slot,
  type UnfinalizedReader,
  type UnfinalizedState,
  type Watermark,
} from "@lamplight/core";
import type { Path } from "../engine/delta.ts";
import { FinalizedFacts } from "./finalized-facts.ts";
import type { OverlayState } from "./overlay-state.ts";
import {
  RESTORED_AFTER_MS,
  SHARED_POLL_MS,
  STANDSTILL_SECONDS_MAX,
  STANDSTILL_STEP_MS_MAX,
  VIEW_ATTEMPTS_MAX,
} from "./limits.ts";
import { isOverBounds, stalledAt } from "./overlay-bounds.ts";
import { finalizedKeepsMoving, isNewest, OverlayView } from "./overlay-view.ts";
import { decodeSlots, type KnownSlot } from "./known-slots.ts";
import { SlotTree } from "./slot-tree.ts";
import { Standstill } from "./standstill.ts";

export interface SharedOverlayOptions {
  /** A clock in milliseconds that never goes back; default `performance.now`. */
  readonly now?: () => number;
  /** The unfinalized slots that the writer publishes. */
  readonly unfinalized: UnfinalizedReader;
  /** Views of the same store. */
  readonly viewSource: ViewSource;
  /** Wraps these views for searches, such as in one that answers them from memory. Default: none is wrapped. */
  readonly over?: (view: ReadView) => ReadView;
  /** Called after the finalized slot has moved, so that readers of the store can poll. */
  readonly onRoot?: () => void;
  /** Called when the store was restored to an older state. Cached data may belong to rows that no longer exist. */
  readonly onWentBack?: () => void;
  /** Called after each successful poll, with or without news. */
  readonly onLook?: () => void;
  /** Called after a failed poll. The next one follows soon. */
  readonly onError?: (error: unknown) => void;
  readonly pollMs?: number;
  /** Shared by all workers that answer the same clients: a worker that is behind it polls first. Default: none. */
  readonly answered?: NewestAnswered;
}

export interface SharedState extends OverlayState {
  /** Slots that a writer of another version published. They and their descendants are not read. */
  readonly unreadSlots: number;
}

/** The slots of one poll, and what of them each view needs. */
interface PolledSlots {
  readonly tree: SlotTree;
  readonly finalizedSlot: Slot;
  /** Whether a bound of the tree is reached. */
  readonly isOverBounds: boolean;
  readonly confirmed: NewestSlot;
  readonly processed: NewestSlot;
}

/** The newest slot of a commitment, and its changes down to a view of the store. */
interface NewestSlot {
  /** Null = the finalized slot. */
  readonly slot: Slot | null;
  /** Null where the slot is no descendant of that of the view. */
  readonly path: Path | null;
}

/**
 * All three commitments in a process that does not write. It polls the tree of unfinalized slots that the writer
 * publishes in the store. Each poll reads one consistent state, so a process that starts late is up to date after one
 * poll. While no writer publishes, every commitment is the finalized slot.
 */
export class SharedOverlay implements ViewSource {
  readonly #options: SharedOverlayOptions;
  readonly #stopping = new AbortController();
  readonly #standstill: Standstill;
  #polled: PolledSlots | null = null;
  #facts = new FinalizedFacts();
  #known: ReadonlyMap<Slot, KnownSlot> = new Map();
  #revision = -1;
  #writer = "";
  #changeSeq = -1;
  /** Since when confirmed slots are older than one that was answered. */
  #olderSinceMs: number | null = null;
  #polling: Promise<void> | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: SharedOverlayOptions) {
    this.#options = options;
    this.#standstill = new Standstill(options.now);
  }

  /** Starts polling. Neither the store nor its slots need to exist yet. */
  start(): void {
    this.#loop = this.#poll();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#polling?.catch(() => undefined);
  }

  /** Null before the first slot is finalized. */
  get state(): SharedState | null {
    if (this.#polled === null) return null;
    const unreadSlots = [...this.#known.values()].filter(({ node }) => node === null).length;
    return { ...this.#polled.tree.state(), unreadSlots };
  }

  /** Polls once, together with all concurrent callers. Slots that were published before the call are then visible. */
  async catchUp(): Promise<void> {
    // A poll that already runs may have started too early for this caller.
    await this.#polling?.catch(() => undefined);
    this.#polling ??= this.#pollOnce().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  /**
   * @throws LamplightError `CHAIN__FINALITY_STALLED` for other commitments than `finalized` while a bound is exceeded
   * @throws LamplightError `SERVER__BUSY` where the finalized slot moves during every attempt
   */
  async openView(commitment: Commitment, opening?: Opening): Promise<ReadView> {
    if (commitment === "finalized") return this.#searched(await this.#openFinalized(opening));
    for (let attempt = 0; attempt < VIEW_ATTEMPTS_MAX; attempt += 1) {
      const view = await this.#tryOpenView(commitment, opening);
      if (view !== null) return view;
    }
    throw finalizedKeepsMoving();
  }

  async #tryOpenView(
    commitment: Exclude<Commitment, "finalized">,
    opening?: Opening,
  ): Promise<ReadView | null> {
    const finalized = await this.#openFinalized(opening);
    try {
      // If the view's finalized slot is higher than the tree's, published slots may be gone from the store. If it is
      // lower, the view is behind, or the store was restored. A client may also have seen a newer state from another
      // worker.
      const isBehind = this.#revision < (this.#options.answered?.revision ?? 0);
      if (isBehind || !this.#isAt(finalized)) await this.catchUp();
      const polled = this.#polled;
      if (polled === null) return this.#searched(finalized);
      this.#options.answered?.noteRevision(this.#revision);
      if (polled.isOverBounds) throw stalledAt(polled.tree.state());
      const isAtRoot = finalized.slot === polled.finalizedSlot;
      const { slot, path } = isAtRoot
        ? polled[commitment]
        : newestOf(polled.tree, commitment, finalized.slot);
      if (commitment === "confirmed" && this.#isOlder(Math.max(slot ?? 0, finalized.slot), finalized.slot)) {
        finalized.close();
        await sleep(this.#options.pollMs ?? SHARED_POLL_MS);
        return null;
      }
      if (isNewest(finalized, slot, polled)) return this.#searched(finalized);
      if (path !== null && slot !== null && this.#hasRowsOf(finalized))
        return new OverlayView(slot, path, finalized, this.#facts, this.#options.over);
    } catch (error) {
      finalized.close();
      throw error;
    }
    // The store was written after the view was opened.
    finalized.close();
    return null;
  }

  #isAt(finalized: ReadView): boolean {
    return finalized.slot === this.#polled?.finalizedSlot && this.#hasRowsOf(finalized);
  }

  /**
   * Rows may be replaced without a new finalized slot, such as by other rules: then slots derived before do not fit them.
   * After a restore, another writer may assign the same numbers to other rows.
   */
  #hasRowsOf({ terms: { changeSeq, history } }: ReadView): boolean {
    return changeSeq === this.#changeSeq && (history === undefined || history.writer === this.#writer);
  }

  async #openFinalized(opening: Opening | undefined): Promise<ReadView> {
    const { viewSource, answered } = this.#options;
    const open = () => viewSource.openView("finalized", opening);
    return answered === undefined ? open() : answered.openAsNew(open);
  }

  #searched(finalized: ReadView): ReadView {
    return this.#options.over?.(finalized) ?? finalized;
  }

  /**
   * Whether a confirmed slot is older than one that was answered: the state comes from a replica that is behind, or the
   * writer started again without its slots. After a while it counts as restored.
   */
  #isOlder(slot: Slot, finalizedSlot: Slot): boolean {
    const { answered, now = () => performance.now() } = this.#options;
    if (answered === undefined) return false;
    if (slot >= answered.confirmedSlot) {
      this.#olderSinceMs = null;
      answered.noteConfirmed(slot);
      return false;
    }
    this.#olderSinceMs ??= now();
    if (now() - this.#olderSinceMs < RESTORED_AFTER_MS) return true;
    answered.lowerTo({ slot: finalizedSlot, confirmedSlot: slot, revision: this.#revision });
    return false;
  }

  /** No writer brings the slots back that were answered. */
  #lowerConfirmed({ confirmedSlot, revision }: UnfinalizedState): void {
    const { answered } = this.#options;
    answered?.lowerTo({ slot: answered.slot, confirmedSlot, revision });
  }

  #isConfirmedOlder(tree: SlotTree): boolean {
    const slot = Math.max(tree.newest("confirmed") ?? 0, tree.finalizedSlot);
    return slot < (this.#options.answered?.confirmedSlot ?? 0);
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    const { pollMs = SHARED_POLL_MS, onLook, onError } = this.#options;
    while (!signal.aborted) {
      await this.catchUp().then(onLook, onError ?? (() => {}));
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #pollOnce(): Promise<void> {
    const { unfinalized } = this.#options;
    const head = await unfinalized.readUnfinalizedHead();
    const isSame = head.revision === this.#revision && head.changeSeq === this.#changeSeq;
    const isSameWriter = head.writer === this.#writer;
    if (isSame && isSameWriter && head.watermark?.slot === this.#polled?.finalizedSlot) return;
    // After a restore, another writer may assign the same numbers to other rows.
    if (!isSameWriter) this.#known = new Map();
    const revisions = new Map([...this.#known].map(([slot, { revision }]) => [slot, revision]));
    const state = await unfinalized.readUnfinalized(revisions);
    if (state.writer === head.writer) await this.#take(state);
    else await this.#pollOnce();
  }

  async #take(state: UnfinalizedState): Promise<void> {
    if (state.watermark === null) return;
    const { unfinalized } = this.#options;
    const known = await decodeSlots(state.slots, state.watermark.slot, this.#known, (address) =>
      unfinalized.readFinalizedData(address),
    );
    const tree = new SlotTree(state.watermark, this.#standstill);
    for (const { node } of known.values()) if (node !== null && tree.hasParent(node.parent)) tree.add(node);
    tree.confirm(state.confirmedSlot);
    const before = this.#polled;
    const rootBefore = before?.finalizedSlot ?? 0;
    if (state.changeSeq < this.#changeSeq || state.watermark.slot < rootBefore) this.#options.onWentBack?.();
    if (state.watermark.slot < rootBefore) {
      const { slot } = state.watermark;
      const confirmedSlot = Math.max(tree.newest("confirmed") ?? 0, slot);
      this.#options.answered?.lowerTo({ slot, confirmedSlot, revision: state.revision });
    }
    // No await from here on: views must combine the new tree with its own facts.
    if (state.writer !== this.#writer) this.#facts = new FinalizedFacts();
    if (before !== null && rootBefore !== state.watermark.slot) {
      this.#standstill.noteFinalized();
      const finalized = finalizedPath(before.tree, state.watermark);
      this.#facts = this.#factsAfter(finalized, state.changeSeq);
      this.#options.onRoot?.();
    }
    if (state.isWithdrawn) this.#lowerConfirmed(state);
    if (!this.#isConfirmedOlder(tree)) this.#olderSinceMs = null;
    this.#polled = {
      tree,
      finalizedSlot: tree.finalizedSlot,
      isOverBounds: isOverBounds(tree.state(), bounds),
      confirmed: newestOf(tree, "confirmed", tree.finalizedSlot),
      processed: newestOf(tree, "processed", tree.finalizedSlot),
    };
    this.#known = known;
    this.#revision = state.revision;
    this.#writer = state.writer;
    this.#changeSeq = state.changeSeq;
  }

  /** Cached facts that are still correct after the path was finalized; none if something else was written too. */
  #factsAfter(finalized: Path | null, changeSeq: number): FinalizedFacts {
    if (finalized !== null && this.#facts.forgetFinalized(finalized, this.#changeSeq, changeSeq))
      return this.#facts;
    return new FinalizedFacts();
  }
}

const newestOf = (tree: SlotTree, commitment: Commitment, root: Slot): NewestSlot => {
  const slot = tree.newest(commitment);
  return { slot, path: slot === null ? null : tree.pathTo(slot, root) };
};

/**
 * A reader counts from when it sees a slot, so it may count less than the writer. The writer adds no slot beyond its
 * bound: then this count would end below the same bound, and old slots would be answered for as long as finality stands
 * still.
 */
const bounds = { standstillSecondsMax: STANDSTILL_SECONDS_MAX - STANDSTILL_STEP_MS_MAX / 1000 };

/**
 * The slots committed since, as a path. Null where they are unknown, also because the slot was finalized with another
 * bank.
 */
const finalizedPath = (before: SlotTree, { slot, blockhash }: Watermark): Path | null => {
  const known = before.blockhashOf(slot) ?? null;
  if (known !== null && known !== blockhash) return null;
  return before.pathTo(slot, before.finalizedSlot);
};
