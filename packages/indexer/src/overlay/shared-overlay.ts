import { setTimeout as sleep } from "node:timers/promises";
import type {
  Commitment,
  OnlyRead,
  ViewSource,
  ReadView,
  Slot,
  UnfinalizedReader,
  UnfinalizedState,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Path } from "../engine/delta.ts";
import { BaseFacts } from "./base-facts.ts";
import type { OverlayState } from "./fork-overlay.ts";
import { sharedPollMs, viewAttemptsMax } from "./limits.ts";
import { isOverBounds, stalledAt } from "./overlay-bounds.ts";
import { isNewest, OverlayView } from "./overlay-view.ts";
import { decodeSlotBody } from "./slot-body.ts";
import { type SlotNode, SlotTree } from "./slot-tree.ts";

export interface SharedOverlayOptions {
  /** What the writer shows of slots above the finalized slot. */
  readonly unfinalized: UnfinalizedReader;
  /** Views of the same store, usually with search answered from memory. */
  readonly viewSource: ViewSource;
  /** Called after the finalized slot has moved: what follows the store by polling may look now. */
  readonly onRoot?: () => void;
  /** The store is before what it showed: it was put back, and what was kept of it may be of another future. */
  readonly onWentBack?: () => void;
  /** A look that succeeded, whether anything was new or not. */
  readonly onLook?: () => void;
  /** A look that failed; the next one is not far. */
  readonly onError?: (error: unknown) => void;
  readonly pollMs?: number;
  /** Of all that answer the same clients: anyone who is behind it looks first. Default: each goes by itself. */
  readonly answered?: AnsweredRevision;
}

/** The newest revision that any of several readers has answered from; see `UnfinalizedHead`. */
export interface AnsweredRevision {
  readonly revision: number;
  noteRevision(revision: number): void;
}

export interface SharedState extends OverlayState {
  /** When anything was last different above the finalized slot, in milliseconds since 1970; null before the first. */
  readonly changedMs: number | null;
  /** Slots shown by a writer of another version, which are not read, nor are their descendants. */
  readonly unreadSlots: number;
}

interface KnownSlot {
  readonly revision: number;
  /** Null for a body that another version wrote. */
  readonly node: SlotNode | null;
}

/**
 * All three commitments in a process that does not write: the tree of unfinalized slots as the writer shows it in the
 * store. Each look takes one state of the store as a whole, so that a process that joins late, or was held up, is where
 * the others are with one look. While no one shows anything, every commitment is the finalized slot.
 */
export class SharedOverlay implements ViewSource {
  readonly #options: SharedOverlayOptions;
  readonly #stopping = new AbortController();
  #tree: SlotTree | null = null;
  #facts = new BaseFacts();
  #known: ReadonlyMap<Slot, KnownSlot> = new Map();
  #revision = -1;
  #writer = "";
  #changeSeq = -1;
  #changedMs: number | null = null;
  #looking: Promise<void> | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: SharedOverlayOptions) {
    this.#options = options;
  }

  /** Begins to look. Nothing has to be there yet, the store neither. */
  start(): void {
    this.#loop = this.#poll();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#looking?.catch(() => undefined);
  }

  /** Null before the first slot is finalized. */
  get state(): SharedState | null {
    if (this.#tree === null) return null;
    const unreadSlots = [...this.#known.values()].filter(({ node }) => node === null).length;
    return { ...this.#tree.state(), changedMs: this.#changedMs, unreadSlots };
  }

  /** One look, shared by all who ask in the meantime; what was written before the call is seen. */
  async catchUp(): Promise<void> {
    // A look under way may have started too early for this caller.
    await this.#looking?.catch(() => undefined);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** @throws LamplightError `CHAIN__FINALITY_STALLED` above `finalized` while there is too much above the finalized slot */
  async openView(commitment: Commitment, only?: OnlyRead): Promise<ReadView> {
    if (commitment === "finalized") return this.#options.viewSource.openView(commitment, only);
    for (let attempt = 0; attempt < viewAttemptsMax; attempt += 1) {
      const view = await this.#tryOpenView(commitment, only);
      if (view !== null) return view;
    }
    throw new LamplightError("STORE__BUSY", { limit: viewAttemptsMax });
  }

  async #tryOpenView(commitment: Commitment, only?: OnlyRead): Promise<ReadView | null> {
    const base = await this.#options.viewSource.openView("finalized", only);
    try {
      // Another root than the tree's: of a higher one, slots may be gone from the store already; a lower one is behind, or
      // the store was put back. And a client may have seen a newer state elsewhere.
      const isBehind = this.#revision < (this.#options.answered?.revision ?? 0);
      if (isBehind || base.slot !== this.#tree?.state().finalizedSlot) await this.catchUp();
      const tree = this.#tree;
      if (tree === null) return base;
      this.#options.answered?.noteRevision(this.#revision);
      if (isOverBounds(tree.state())) throw stalledAt(tree.state());
      const tip = tree.tip(commitment);
      if (isNewest(base, tip, tree)) return base;
      const path = tip === null ? null : tree.pathTo(tip, base.slot);
      if (path !== null && tip !== null) return new OverlayView(tip, path, base, this.#facts);
    } catch (error) {
      base.close();
      throw error;
    }
    // The finalized slot moved on after the view was opened.
    base.close();
    return null;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    const { pollMs = sharedPollMs, onLook, onError } = this.#options;
    while (!signal.aborted) {
      await this.catchUp().then(onLook, onError ?? (() => {}));
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { unfinalized } = this.#options;
    const head = await unfinalized.readUnfinalizedHead();
    const isSame = head.revision === this.#revision && head.changeSeq === this.#changeSeq;
    const isSameWriter = head.writer === this.#writer;
    if (isSame && isSameWriter && head.watermark?.slot === this.#tree?.state().finalizedSlot) return;
    // Of a store that was put back, another writer may give the same numbers to something else.
    if (!isSameWriter) this.#known = new Map();
    const revisions = new Map([...this.#known].map(([slot, { revision }]) => [slot, revision]));
    const state = await unfinalized.readUnfinalized(revisions);
    if (state.writer === head.writer) await this.#take(state);
    else await this.#look();
  }

  async #take(state: UnfinalizedState): Promise<void> {
    if (state.watermark === null) return;
    const known = await this.#knownOf(state);
    const tree = new SlotTree(state.watermark);
    for (const { node } of known.values()) if (node !== null && tree.hasParent(node.parent)) tree.add(node);
    tree.confirm(state.confirmedSlot);
    const before = this.#tree;
    const rootBefore = before?.state().finalizedSlot ?? 0;
    if (state.changeSeq < this.#changeSeq || state.watermark.slot < rootBefore) this.#options.onWentBack?.();
    // One turn from here on: views are opened on the new tree with facts that belong to it.
    if (state.writer !== this.#writer) this.#facts = new BaseFacts();
    if (before !== null && rootBefore !== state.watermark.slot) {
      const finalized = before.pathTo(state.watermark.slot, rootBefore);
      this.#facts = this.#factsAfter(finalized, state.changeSeq);
      this.#options.onRoot?.();
    }
    this.#tree = tree;
    this.#known = known;
    this.#revision = state.revision;
    this.#writer = state.writer;
    this.#changeSeq = state.changeSeq;
    this.#changedMs = Date.now();
  }

  async #knownOf({ slots }: UnfinalizedState): Promise<ReadonlyMap<Slot, KnownSlot>> {
    const known = new Map<Slot, KnownSlot>();
    for (const { slot, parent, blockhash, revision, body } of slots) {
      const before = this.#known.get(slot);
      if (body === null && before !== undefined) {
        known.set(slot, before);
        continue;
      }
      const content = body === null ? null : await decodeSlotBody(body);
      known.set(slot, { revision, node: content === null ? null : { ...content, slot, parent, blockhash } });
    }
    return known;
  }

  /** Facts that still hold after the path was finalized; where something else was written too, none do. */
  #factsAfter(finalized: Path | null, changeSeq: number): BaseFacts {
    if (finalized !== null && this.#facts.forgetFinalized(finalized, this.#changeSeq, changeSeq))
      return this.#facts;
    return new BaseFacts();
  }
}
