import type { Slot } from "@lamplight/core";
import { bytesPerCheck, updatesPerCheck } from "./limits.ts";
import { Stage } from "./stage.ts";
import { ReportedSlots } from "./reported-slots.ts";

/** A slot that has become complete. */
export interface CompletedSlot {
  readonly stage: Stage;
  /** Whether it replaces another complete block of that slot. */
  readonly isOtherBlock: boolean;
}

/** Beyond any of these bounds, underived slots are dropped. */
export interface StagedBounds {
  readonly slots: number;
  /** Account versions and transactions. */
  readonly versions: number;
  readonly bytes: number;
}

/**
 * What streams reported of slots above the finalized slot. A slot is complete when one stream reported all of it, up
 * to its end. It is kept until it is finalized, because it may have to be derived again.
 */
export class StagedSlots {
  readonly #stages = new Map<Slot, Stage>();
  /** Complete slots of an earlier stream that are replayed. They are compared when they are complete again. */
  readonly #replays = new Map<Slot, Stage>();
  readonly #reportedSlots = new ReportedSlots();
  /** Ended slots whose first updates the stream may have missed. They wait for proof that it did not. */
  readonly #unproven = new Set<Slot>();
  readonly #bounds: StagedBounds;
  #finalizedSlot: Slot;
  #stream = 0;
  /** Received since the bounds were last checked. */
  #uncheckedUpdates = 0;
  #uncheckedBytes = 0;

  constructor(finalizedSlot: Slot, bounds: StagedBounds) {
    this.#finalizedSlot = finalizedSlot;
    this.#bounds = bounds;
  }

  /** Number of streams so far, which is the number of the current one. */
  get stream(): number {
    return this.#stream;
  }

  get slots(): number {
    return this.#stages.size;
  }

  versions(): number {
    return this.#sum(({ size }) => size);
  }

  bytes(): number {
    return this.#sum(({ bytes }) => bytes);
  }

  /** An update was received. @returns whether the bounds should be checked, which takes time */
  noteReceived(bytes: number): boolean {
    this.#uncheckedUpdates += 1;
    this.#uncheckedBytes += bytes;
    const { versions, bytes: bytesMax } = this.#bounds;
    return (
      this.#uncheckedUpdates >= Math.min(updatesPerCheck, versions) ||
      this.#uncheckedBytes >= Math.min(bytesPerCheck, bytesMax)
    );
  }

  /** As `isWithinBounds`; the next check is due after as many updates again. */
  checkBounds(): boolean {
    [this.#uncheckedUpdates, this.#uncheckedBytes] = [0, 0];
    return this.isWithinBounds();
  }

  isWithinBounds(): boolean {
    const { slots, versions, bytes } = this.#bounds;
    return this.slots <= slots && this.versions() <= versions && this.bytes() <= bytes;
  }

  get(slot: Slot): Stage | undefined {
    return this.#stages.get(slot);
  }

  /** Undefined also while it is not complete. */
  complete(slot: Slot): Stage | undefined {
    const stage = this.#stages.get(slot);
    return stage?.isComplete === true ? stage : undefined;
  }

  /** The lowest replayed slot that is not complete yet; null where there is none. */
  oldestReplay(): Slot | null {
    return this.#replays.size === 0 ? null : Math.min(...this.#replays.keys());
  }

  /** Parents before their descendants. */
  ascending(): readonly Stage[] {
    return [...this.#stages.values()].toSorted((a, b) => a.slot - b.slot);
  }

  /** The stage that receives updates of a slot; null when it is finalized, or this stream has reported its end. */
  open(slot: Slot): Stage | null {
    if (slot <= this.#finalizedSlot) return null;
    const known = this.#stages.get(slot);
    if (known === undefined) {
      const stage = new Stage(slot, this.#stream);
      this.#stages.set(slot, stage);
      return stage;
    }
    if (this.#unproven.has(slot)) return null;
    if (!known.isComplete) return known;
    if (known.stream === this.#stream) return null;
    const replay = this.#replays.get(slot) ?? new Stage(slot, this.#stream);
    this.#replays.set(slot, replay);
    return replay;
  }

  /**
   * The stage for late updates of a slot whose end this stream has reported; null for others, and below the finalized
   * slot.
   */
  ended(slot: Slot): Stage | null {
    const stage = this.#replays.get(slot) ?? this.#stages.get(slot);
    if (stage === undefined || stage.stream !== this.#stream) return null;
    return stage.isComplete || this.#unproven.has(slot) ? stage : null;
  }

  noteCreated(slot: Slot, parent: Slot | null): void {
    const isReported = this.#replays.has(slot) || this.#stages.get(slot)?.stream === this.#stream;
    if (!isReported) this.#reportedSlots.noteCreated(slot);
    if (parent !== null) this.setParent(slot, parent);
  }

  setParent(slot: Slot, parent: Slot): void {
    this.open(slot)?.setParent(parent);
    this.#reportedSlots.link(slot, parent);
  }

  setBlock(block: Parameters<Stage["setBlock"]>[0]): void {
    this.open(block.slot)?.setBlock(block);
    this.#reportedSlots.link(block.slot, block.parent);
  }

  /** From here on, the end of these slots proves that they were reported completely. */
  askAgain(slots: readonly Slot[]): void {
    this.#reportedSlots.askAgain(slots);
  }

  /** Whether the slot waits for that proof. */
  isExpectedAgain(slot: Slot): boolean {
    return this.#unproven.has(slot) && this.#reportedSlots.isReplayed(slot);
  }

  isAskedAgain(slot: Slot): boolean {
    return this.#reportedSlots.isAskedAgain(slot);
  }

  /** The slot's end was reported. Returns every slot that is complete now, because one may prove others complete. */
  end(slot: Slot, parent: Slot | null): readonly CompletedSlot[] {
    if (this.open(slot) === null && !this.#unproven.has(slot)) return [];
    if (parent !== null) this.setParent(slot, parent);
    this.#reportedSlots.end(slot);
    this.#unproven.add(slot);
    const completed: CompletedSlot[] = [];
    for (const one of this.#unproven) {
      if (!this.#reportedSlots.isComplete(one)) continue;
      this.#unproven.delete(one);
      const settled = this.#settle(one);
      if (settled !== null) completed.push(settled);
    }
    return completed;
  }

  /** Replaces several slots by one complete slot. */
  join(slots: readonly Slot[], stage: Stage): void {
    for (const slot of slots) this.#stages.delete(slot);
    this.#stages.set(stage.slot, stage);
  }

  drop(slot: Slot): void {
    this.#stages.delete(slot);
    this.#replays.delete(slot);
    this.#reportedSlots.drop(slot);
    this.#unproven.delete(slot);
  }

  /** Drops these slots, and every slot that this stream has started to report. */
  giveUp(slots: readonly Slot[]): void {
    for (const slot of slots) this.#stages.delete(slot);
    this.#unproven.clear();
    this.#replays.clear();
  }

  /**
   * A new stream: slots that the last one left incomplete are dropped.
   *
   * @param from - see `ReportedSlots.restart`
   */
  restart(from?: Slot | null): void {
    this.#stream += 1;
    this.#reportedSlots.restart(from);
    this.giveUp([...this.#stages.values()].filter(({ isComplete }) => !isComplete).map(({ slot }) => slot));
  }

  forgetThrough(root: Slot): void {
    this.#finalizedSlot = root;
    for (const slots of [this.#stages, this.#replays, this.#unproven]) {
      for (const slot of slots.keys()) if (slot <= root) slots.delete(slot);
    }
    this.#reportedSlots.forgetBelow(root);
  }

  /**
   * Null where the same block was complete before. This stream's stage replaces it, since late updates follow this
   * stream's order.
   */
  #settle(slot: Slot): CompletedSlot | null {
    const known = this.#stages.get(slot);
    const replay = this.#replays.get(slot);
    const stage = replay ?? known;
    if (stage === undefined) return null;
    stage.isComplete = true;
    if (replay === undefined) return { stage, isOtherBlock: false };
    this.#replays.delete(slot);
    this.#stages.set(slot, replay);
    return known?.isSameBlock(replay) === true ? null : { stage, isOtherBlock: true };
  }

  #sum(measure: (stage: Stage) => number): number {
    let sum = 0;
    for (const stages of [this.#stages, this.#replays])
      for (const one of stages.values()) sum += measure(one);
    return sum;
  }
}
