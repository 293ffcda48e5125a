import type { Slot } from "@lamplight/core";
import type { ForkOverlay } from "../overlay/fork-overlay.ts";
import type { Stage } from "./stage.ts";
import type { StagedSlots } from "./staged-slots.ts";

/**
 * Slots that received updates after they were derived. Answers use their first result until they and all descendants
 * are derived again. So the confirmed slot never moves backwards.
 */
export class StaleSlots {
  readonly #staged: StagedSlots;
  readonly #overlay: ForkOverlay;
  readonly #slots = new Set<Slot>();

  constructor(staged: StagedSlots, overlay: ForkOverlay) {
    this.#staged = staged;
    this.#overlay = overlay;
  }

  /**
   * Whether stale slots are left because their confirmed branch was not reported completely. Nothing may be finalized
   * until then.
   */
  get isWaiting(): boolean {
    return this.#slots.size > 0;
  }

  /** @returns whether it was not noted yet */
  note(slot: Slot): boolean {
    const isNew = !this.#slots.has(slot);
    this.#slots.add(slot);
    return isNew;
  }

  /**
   * Derives again what can be. Slots of an earlier process must first be reported again: confirmed ones are waited
   * for, others are dropped.
   */
  async derive(): Promise<void> {
    for (const slot of this.#slots) if (!this.#overlay.has(slot)) this.#slots.delete(slot);
    if (this.#slots.size === 0) return;
    const unreported = this.#overlay.branches(this.#slots).filter((slot) => this.#stageOf(slot) === null);
    if (unreported.some((slot) => this.#overlay.isConfirmed(slot))) return;
    for (const slot of unreported) this.#overlay.drop(slot);
    const stages = this.#overlay.branches(this.#slots).map((slot) => this.#stageOf(slot)!);
    await this.#overlay.replace(stages.map((stage) => stage.updates()));
    this.#slots.clear();
  }

  /** Null unless it is complete, on the parent that it was derived on. */
  #stageOf(slot: Slot): Stage | null {
    const stage = this.#staged.complete(slot);
    return stage !== undefined && stage.parent === this.#overlay.parentOf(slot) ? stage : null;
  }
}
