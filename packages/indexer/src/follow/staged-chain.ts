import type { GapFilling, Slot } from "@lamplight/core";
import type { ForkOverlay } from "../overlay/fork-overlay.ts";
import type { SlotUpdates } from "../overlay/slot-updates.ts";
import type { Stage } from "./stage.ts";
import type { StagedSlots } from "./staged-slots.ts";

/** The connections of staged slots to each other and to the finalized slot. */
export class StagedChain {
  readonly #staged: StagedSlots;
  readonly #overlay: ForkOverlay;

  constructor(staged: StagedSlots, overlay: ForkOverlay) {
    this.#staged = staged;
    this.#overlay = overlay;
  }

  /**
   * Complete slots above `below` up to `newest`, parents first; null where one is missing or is another block. The parent
   * of the first one is not checked.
   */
  pathTo(newest: Slot, below: Slot): readonly Stage[] | null {
    const path: Stage[] = [];
    for (let slot = newest; slot !== below;) {
      const stage = slot > below ? this.#staged.complete(slot) : undefined;
      if (stage === undefined || stage.parent === null) return null;
      const child = path.at(-1);
      if (child !== undefined && this.#isOtherBlock(slot, child.parentBlockhash)) return null;
      path.push(stage);
      slot = stage.parent;
    }
    return path.toReversed();
  }

  /** The updates of a stage, to be derived. Data that it shares with its ancestors are kept once. */
  updatesOf(stage: Stage): SlotUpdates {
    stage.shareData(this.#overlay.pathTo(stage.parent!) ?? []);
    return stage.updates();
  }

  /** Slots from the child of the finalized slot up to the newest; none while a slot is missing. */
  pathAboveFinalized(newest: Slot | null): readonly Stage[] {
    const path = newest === null ? null : this.pathTo(newest, this.#overlay.state.finalizedSlot);
    const first = path?.[0];
    return first !== undefined && this.isParentReady(first) ? path! : [];
  }

  /** Slots from the child of a gap up to the newest; null where they are not connected to it. */
  pathAboveGap({ through, blockhash }: GapFilling, newest: Slot | null): readonly Stage[] | null {
    const path = newest === null ? null : this.pathTo(newest, through);
    const parent = path?.[0]?.parentBlockhash ?? null;
    return parent === null || parent === blockhash ? path : null;
  }

  /** Whether a slot's parent is the finalized slot or derived, and has the hash that this slot names. */
  isParentReady({ parent, parentBlockhash }: Stage): boolean {
    if (parent === null) return false;
    if (parent !== this.#overlay.state.finalizedSlot && !this.#overlay.has(parent)) return false;
    // The derived parent is another block of the same slot. The right one is still to come.
    return !this.#isOtherBlock(parent, parentBlockhash);
  }

  /**
   * Walks from a slot down to the finalized slot. Returns the first slot that is missing, or is another block than
   * its child names.
   */
  findMissing(newest: Slot | null): Slot | null {
    const { finalizedSlot } = this.#overlay.state;
    for (let slot = newest; slot !== null && slot > finalizedSlot;) {
      const stage = this.#staged.get(slot);
      const parent = stage?.isComplete === true ? stage.parent : this.#overlay.parentOf(slot);
      if (parent === undefined || parent === null) return slot;
      if (stage !== undefined && this.#isOtherBlock(parent, stage.parentBlockhash)) return parent;
      // A sibling of the finalized slot: the store is not its ancestor.
      if (parent < finalizedSlot) return slot;
      slot = parent;
    }
    return null;
  }

  /** Whether a slot is known with another hash. False where the source reports no hashes. */
  #isOtherBlock(slot: Slot, blockhash: string | null): boolean {
    const known = this.#overlay.blockhashOf(slot) ?? this.#staged.get(slot)?.blockhash ?? null;
    return known !== null && blockhash !== null && known !== blockhash;
  }
}
