import type { Slot } from "@lamplight/core";
import { Stage } from "./stage.ts";
import { ReportedSlots } from "./reported-slots.ts";

/** A slot that has become whole. */
export interface WholeSlot {
  readonly stage: Stage;
  /** Whether another block of that slot was whole before, in whose place it is now. */
  readonly isOtherBlock: boolean;
}

/**
 * What streams have reported of slots above the finalized slot, as it came. A slot becomes whole when its end was reported, and something
 * shows that the same stream reported it from its beginning. It stays here until it is finalized, for what builds on another
 * block may have to be derived again.
 */
export class StagedSlots {
  readonly #stages = new Map<Slot, Stage>();
  /** Complete slots of an earlier stream that come again: compared when they are whole again. */
  readonly #replays = new Map<Slot, Stage>();
  readonly #reportedSlots = new ReportedSlots();
  /** Reported to be whole, by a stream that may have joined in their midst: they wait for what shows that it did not. */
  readonly #unproven = new Set<Slot>();
  #finalizedSlot: Slot;
  #stream = 0;

  constructor(finalizedSlot: Slot) {
    this.#finalizedSlot = finalizedSlot;
  }

  /** Streams so far: the number of the one that is listened to. */
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

  get(slot: Slot): Stage | undefined {
    return this.#stages.get(slot);
  }

  /** Undefined also while it is not whole. */
  whole(slot: Slot): Stage | undefined {
    const stage = this.#stages.get(slot);
    return stage?.isComplete === true ? stage : undefined;
  }

  /** Of the slots that come again and are not whole yet; null when none does. */
  oldestReplay(): Slot | null {
    return this.#replays.size === 0 ? null : Math.min(...this.#replays.keys());
  }

  /** Parents before their descendants. */
  ascending(): readonly Stage[] {
    return [...this.#stages.values()].toSorted((a, b) => a.slot - b.slot);
  }

  /** Where updates of a slot go; null when it is finalized, or its end was reported by this stream. */
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

  /** A slot whose end was reported by this stream already, for what comes late; null for others, and below the finalized slot. */
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

  /** From here on the end of these slots shows that they were reported whole. */
  askAgain(slots: readonly Slot[]): void {
    this.#reportedSlots.askAgain(slots);
  }

  /** Whether it waits for that. */
  isExpectedAgain(slot: Slot): boolean {
    return this.#unproven.has(slot) && this.#reportedSlots.isReplayed(slot);
  }

  isAskedAgain(slot: Slot): boolean {
    return this.#reportedSlots.isAskedAgain(slot);
  }

  /** The slot's end was reported; returns every slot that is whole by now, for one may show it of others. */
  end(slot: Slot, parent: Slot | null): readonly WholeSlot[] {
    if (this.open(slot) === null && !this.#unproven.has(slot)) return [];
    if (parent !== null) this.setParent(slot, parent);
    this.#reportedSlots.end(slot);
    this.#unproven.add(slot);
    const whole: WholeSlot[] = [];
    for (const one of this.#unproven) {
      if (!this.#reportedSlots.isWhole(one)) continue;
      this.#unproven.delete(one);
      const settled = this.#settle(one);
      if (settled !== null) whole.push(settled);
    }
    return whole;
  }

  /** Puts one slot in the place of several, whole as it is. */
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

  /** Forgets these, and anything else that this stream has started to report. */
  giveUp(slots: readonly Slot[]): void {
    for (const slot of slots) this.#stages.delete(slot);
    this.#unproven.clear();
    this.#replays.clear();
  }

  /**
   * Another stream: what the last one left half is forgotten.
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

  /** Null when the same block was whole before: it is kept as this stream reports it, in whose order late updates come. */
  #settle(slot: Slot): WholeSlot | null {
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
