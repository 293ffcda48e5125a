import type { Commitment, Slot, Watermark } from "@lamplight/core";
import type { Delta, Path } from "../engine/delta.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";
import type { OverlayState } from "./overlay-state.ts";
import type { Standstill } from "./standstill.ts";

/** Changes of a slot against its parent, and a fingerprint of the updates that they were derived from. */
export interface SlotContent {
  readonly changes: Delta;
  /** Fingerprint of the updates (`fingerprintOf`); null where no reader needs it. */
  readonly reported: string | null;
  /** Bytes of those updates. The follower keeps them, not this tree. */
  readonly reportedBytes: number;
}

/** One complete unfinalized slot. */
export interface SlotNode extends SlotContent {
  readonly slot: Slot;
  readonly parent: Slot;
  readonly blockhash: string | null;
  /** Number of the last page of `FillQueue` that it or an ancestor took. */
  readonly filled: number;
}

/** The unfinalized slots with their parents, and the newest one of each commitment. Does no I/O. */
export class SlotTree {
  readonly #nodes = new Map<Slot, SlotNode>();
  readonly #standstill: Standstill;
  #root: Watermark;
  #confirmed: Slot;
  #processed: Slot | null = null;
  #ends: number | null = null;
  #versions = 0;
  #bytes = 0;
  /** Large data, and how many slots share it. */
  readonly #sharers = new Map<Uint8Array, number>();
  #assets = 0;
  #assetBytes = 0;
  #dropped = 0;

  constructor(root: Watermark, standstill: Standstill) {
    this.#root = root;
    this.#standstill = standstill;
    this.#confirmed = root.slot;
  }

  get finalizedSlot(): Slot {
    return this.#root.slot;
  }

  state(): OverlayState {
    return {
      finalizedSlot: this.#root.slot,
      confirmedSlot: this.#confirmed,
      processedSlot: this.#newest(),
      unfinalizedSlots: this.#nodes.size,
      unfinalizedVersions: this.#versions,
      unfinalizedBytes: this.#bytes,
      unfinalizedAssets: this.#assets,
      unfinalizedAssetBytes: this.#assetBytes,
      droppedSlots: this.#dropped,
      standstillSeconds: this.#nodes.size === 0 ? 0 : this.#standstill.seconds,
      forks: (this.#ends ??= this.#countEnds()),
    };
  }

  #countEnds(): number {
    const parents = new Set<Slot>();
    for (const { parent } of this.#nodes.values()) parents.add(parent);
    let ends = 0;
    for (const slot of this.#nodes.keys()) if (!parents.has(slot)) ends += 1;
    return ends;
  }

  has(slot: Slot): boolean {
    return this.#nodes.has(slot);
  }

  /** Ascending by slot: parents before their descendants. */
  nodes(): readonly SlotNode[] {
    return [...this.#nodes.values()].toSorted((a, b) => a.slot - b.slot);
  }

  /** Whether the slot can be a parent: it is the finalized slot, or known. */
  hasParent(parent: Slot): boolean {
    return parent === this.#root.slot || this.#nodes.has(parent);
  }

  /** Undefined when the slot is not known. */
  parentOf(slot: Slot): Slot | undefined {
    return this.#nodes.get(slot)?.parent;
  }

  /**
   * The last page of `FillQueue` up to a slot; undefined when the slot is not known.
   *
   * @param replacing - nodes that replace those of the same slots
   */
  filledOf(slot: Slot, replacing?: ReadonlyMap<Slot, SlotNode>): number | undefined {
    return (replacing?.get(slot) ?? this.#nodes.get(slot))?.filled;
  }

  /** Fingerprint of the updates that a slot was derived from; null where it, or the slot, is not known. */
  reportedOf(slot: Slot): string | null {
    return this.#nodes.get(slot)?.reported ?? null;
  }

  blockhashOf(slot: Slot): string | null | undefined {
    return slot === this.#root.slot ? this.#root.blockhash : this.#nodes.get(slot)?.blockhash;
  }

  /** A known slot keeps its status. */
  noteBlockhash(slot: Slot, blockhash: string | null): void {
    const node = this.#nodes.get(slot);
    if (node !== undefined && node.blockhash === null) this.#nodes.set(slot, { ...node, blockhash });
  }

  /** The newest slot of a commitment; null = the finalized one. */
  newest(commitment: Commitment): Slot | null {
    if (commitment === "finalized") return null;
    const slot = commitment === "confirmed" ? this.#confirmed : this.#newest();
    return slot === this.#root.slot ? null : slot;
  }

  /**
   * Changes from `slot` down to `root`, without those of `root`; null where `slot` is no descendant of it.
   *
   * @param replacing - nodes that replace those of the same slots
   */
  pathTo(slot: Slot, root: Slot, replacing?: ReadonlyMap<Slot, SlotNode>): Path | null {
    return this.nodesTo(slot, root, replacing)?.map(({ changes }) => changes) ?? null;
  }

  /** The slots of that path. */
  nodesTo(slot: Slot, root: Slot, replacing?: ReadonlyMap<Slot, SlotNode>): readonly SlotNode[] | null {
    const nodes: SlotNode[] = [];
    let at = slot;
    while (at > root) {
      const node = replacing?.get(at) ?? this.#nodes.get(at);
      if (node === undefined) return null;
      nodes.push(node);
      at = node.parent;
    }
    return at === root ? nodes : null;
  }

  /** The known ones among these slots and their descendants, ascending. */
  branches(slots: ReadonlySet<Slot>): readonly Slot[] {
    const found = new Set<Slot>();
    for (const { slot, parent } of this.nodes()) if (slots.has(slot) || found.has(parent)) found.add(slot);
    return [...found];
  }

  /** Whether the slot is known, and is the confirmed slot or an ancestor of it. */
  isConfirmed(slot: Slot): boolean {
    return this.has(slot) && this.pathTo(this.#confirmed, slot) !== null;
  }

  /** Replaces slots by new nodes of the same slots and parents. Nothing else changes. */
  replace(nodes: Iterable<SlotNode>): void {
    for (const node of nodes) {
      const known = this.#nodes.get(node.slot);
      if (known === undefined) continue;
      this.#nodes.set(node.slot, node);
      this.#count(known, -1);
      this.#count(node, 1);
    }
  }

  add(node: SlotNode): void {
    if (this.#nodes.has(node.slot)) this.drop(node.slot);
    this.#nodes.set(node.slot, node);
    this.#count(node, 1);
    this.#standstill.noteAdded();
    this.#processed = null;
    this.#ends = null;
  }

  confirm(slot: Slot): void {
    if (slot <= this.#confirmed || !this.#nodes.has(slot)) return;
    this.#confirmed = slot;
    this.#processed = null;
    this.#ends = null;
  }

  /** Drops the slot and its descendants. Ancestors of a confirmed slot stay confirmed. */
  drop(slot: Slot): void {
    const parent = this.parentOf(slot);
    const gone = this.branches(new Set([slot]));
    for (const one of gone) {
      this.#count(this.#nodes.get(one)!, -1);
      this.#nodes.delete(one);
    }
    this.#dropped += gone.length;
    if (parent !== undefined && this.#confirmed !== this.#root.slot && !this.#nodes.has(this.#confirmed))
      this.#confirmed = parent;
    this.#processed = null;
    this.#ends = null;
  }

  /** The slot is in the store now. Drops it, its ancestors and all sibling forks. */
  moveFinalizedTo(slot: Slot): void {
    const ancestors = new Set(this.nodesTo(slot, this.#root.slot)?.map((node) => node.slot));
    const blockhash = this.blockhashOf(slot) ?? null;
    const kept = new Set(this.branches(new Set([slot])));
    for (const node of this.#nodes.values()) {
      if (node.slot !== slot && kept.has(node.slot)) continue;
      if (!ancestors.has(node.slot)) this.#dropped += 1;
      this.#count(node, -1);
      ancestors.add(node.slot);
    }
    for (const gone of ancestors) this.#nodes.delete(gone);
    this.#root = { slot, blockhash };
    this.#standstill.noteFinalized();
    if (this.#confirmed < slot || !this.#nodes.has(this.#confirmed)) this.#confirmed = slot;
    this.#processed = null;
    this.#ends = null;
  }

  clear(): void {
    this.#nodes.clear();
    this.#sharers.clear();
    this.#versions = 0;
    this.#bytes = 0;
    this.#assets = 0;
    this.#assetBytes = 0;
    this.#confirmed = this.#root.slot;
    this.#processed = null;
    this.#ends = null;
  }

  #count({ changes, reportedBytes }: SlotNode, sign: 1 | -1): void {
    this.#versions += sign * changes.writes.size;
    this.#bytes += sign * (changes.bytes + reportedBytes);
    for (const data of changes.dataFrom(SHARED_DATA_BYTES_MIN)) {
      const before = this.#sharers.get(data) ?? 0;
      const after = before + sign;
      // Data that slots share count once, from the first of these slots to the last.
      if (before > 0 && after > 0) this.#bytes -= sign * data.length;
      if (after === 0) this.#sharers.delete(data);
      else this.#sharers.set(data, after);
    }
    this.#assets += sign * changes.assetChanges.size;
    this.#assetBytes += sign * changes.assetBytes;
  }

  someChanges(test: (changes: Delta) => boolean): boolean {
    return [...this.#nodes.values()].some(({ changes }) => test(changes));
  }

  /** The newest slot on the fork of the confirmed slot. */
  #newest(): Slot {
    if (this.#processed !== null) return this.#processed;
    const fork = new Set([this.#confirmed]);
    for (const { slot, parent } of this.nodes()) if (fork.has(parent)) fork.add(slot);
    this.#processed = Math.max(...fork);
    return this.#processed;
  }
}
