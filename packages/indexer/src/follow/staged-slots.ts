import type { BankId, ChainEvent, Slot } from "@lamplight/core";
import { BYTES_PER_CHECK, UPDATES_PER_CHECK } from "./limits.ts";
import { ReportedSlots } from "./reported-slots.ts";
import { namedBank, SlotBanks } from "./slot-banks.ts";
import type { Stage } from "./stage.ts";

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
 * Slots above the finalized slot, as streams reported them. A slot is complete when one stream reported all of a bank,
 * up to its end. It is kept until it is finalized, because it may have to be derived again.
 */
export class StagedSlots {
  readonly #slots = new Map<Slot, SlotBanks>();
  readonly #reportedSlots = new ReportedSlots();
  /** Ended banks whose first updates the stream may have missed. They wait for proof that it did not. */
  readonly #unproven = new Set<Stage>();
  readonly #bounds: StagedBounds;
  readonly #onCleared: (slot: Slot) => void;
  #finalizedSlot: Slot;
  #stream = 0;
  /** Received since the bounds were last checked. */
  #uncheckedUpdates = 0;
  #uncheckedBytes = 0;

  /** @param onCleared - called where the bank of a slot, and every slot on it, is no part of the chain any more */
  constructor(finalizedSlot: Slot, bounds: StagedBounds, onCleared: (slot: Slot) => void) {
    this.#finalizedSlot = finalizedSlot;
    this.#bounds = bounds;
    this.#onCleared = onCleared;
  }

  /** Number of streams so far, which is the number of the current one. */
  get stream(): number {
    return this.#stream;
  }

  get slots(): number {
    return this.#slots.size;
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
      this.#uncheckedUpdates >= Math.min(UPDATES_PER_CHECK, versions) ||
      this.#uncheckedBytes >= Math.min(BYTES_PER_CHECK, bytesMax)
    );
  }

  /** Returns `isWithinBounds`; the next check is due after as many updates again. */
  checkBounds(): boolean {
    [this.#uncheckedUpdates, this.#uncheckedBytes] = [0, 0];
    return this.isWithinBounds();
  }

  isWithinBounds(): boolean {
    const { slots, versions, bytes } = this.#bounds;
    return this.slots <= slots && this.versions() <= versions && this.bytes() <= bytes;
  }

  /** The updates of the bank that counts. */
  get(slot: Slot): Stage | undefined {
    return this.#slots.get(slot)?.stage;
  }

  /** Undefined also while it is not complete. */
  complete(slot: Slot): Stage | undefined {
    const stage = this.get(slot);
    return stage?.isComplete === true ? stage : undefined;
  }

  /** The lowest replayed slot that is not complete yet; null where there is none. */
  oldestReplay(): Slot | null {
    const replays = [...this.#slots.values()].filter(
      ({ earlier, current }) => earlier !== null && current !== null,
    );
    return replays.length === 0 ? null : Math.min(...replays.map(({ slot }) => slot));
  }

  /** Parents before their descendants. */
  ascending(): readonly Stage[] {
    return this.#ascendingBanks().flatMap(({ stage }) => stage ?? []);
  }

  /**
   * The stage of a bank in this stream, ended or not. Null where the slot is finalized, or updates of the bank are
   * dropped.
   *
   * @param isInOrder - whether such updates are reported in the order of banks; transactions and statuses may be late
   */
  stageOf(slot: Slot, bank: BankId | null, isInOrder: boolean): Stage | null {
    if (slot <= this.#finalizedSlot) return null;
    const banks = this.#banksOf(slot);
    const known = banks.find(bank, isInOrder);
    if (known !== null || banks.isRefused(bank)) return known;
    if (banks.current !== null && !isInOrder) return banks.addAside(bank, this.#stream);
    return this.#begin(banks, bank, banks.current !== null || banks.hasCleared);
  }

  /**
   * A bank of the slot starts. Where this stream has reported one before, that one and all slots on it are no part of
   * the chain any more.
   */
  noteCreated(slot: Slot, bank: BankId | null, parent: Slot | null): void {
    if (slot <= this.#finalizedSlot) return;
    const banks = this.#banksOf(slot);
    let stage = bank === null && !banks.awaitsCreation ? null : banks.find(bank);
    if (stage === null && bank !== null && banks.isRefused(bank)) return;
    if (stage === null) stage = this.#begin(banks, bank, true);
    else this.#reportedSlots.noteCreated(slot, false);
    stage.isCreated = true;
    if (parent !== null) this.#setParent(stage, parent);
  }

  setBlock(block: Extract<ChainEvent, { kind: "block" }>): void {
    const { slot, parent } = block;
    const stage = this.stageOf(slot, namedBank(block.bank), true);
    if (stage === null) return;
    if (stage.isOtherBlock(block)) return this.#giveUpMixed(slot);
    if (stage.progress === "open") stage.setBlock(block);
    this.#link(stage, parent);
  }

  /** The stream named the bank of a slot that was confirmed. */
  confirm(slot: Slot, bank: BankId): void {
    if (this.#slots.get(slot)?.confirm(bank) === true) this.#clearAbove(slot);
  }

  /** From here on, the end of these slots proves that they were reported completely. */
  askAgain(slots: readonly Slot[]): void {
    this.#reportedSlots.askAgain(slots);
  }

  /** Whether the slot waits for that proof. */
  isExpectedAgain(slot: Slot): boolean {
    const isUnproven = this.#slots.get(slot)?.current?.progress === "ended";
    return isUnproven && this.#reportedSlots.isReplayed(slot);
  }

  isAskedAgain(slot: Slot): boolean {
    return this.#reportedSlots.isAskedAgain(slot);
  }

  /** The end of a bank was reported. Returns every slot that is complete now, because one may prove others complete. */
  end(slot: Slot, bank: BankId | null, parent: Slot | null): readonly CompletedSlot[] {
    const stage = this.stageOf(slot, bank, false);
    if (stage === null || stage.isComplete) return [];
    // It may be the end of a bank that was cleared. Only a block proves that this one has ended.
    const { current, hasCleared } = this.#banksOf(slot);
    if ((hasCleared || stage !== current) && !stage.hasBlock) return [];
    if (parent !== null) this.#setParent(stage, parent);
    this.#reportedSlots.end(slot);
    stage.progress = "ended";
    this.#unproven.add(stage);
    const completed: CompletedSlot[] = [];
    for (const one of this.#unproven) {
      const isKept = this.#slots.get(one.slot)?.stages().includes(one) === true;
      if (isKept && !this.#reportedSlots.isComplete(one.slot)) continue;
      this.#unproven.delete(one);
      const settled = isKept ? this.#settle(one) : null;
      if (settled !== null) completed.push(settled);
    }
    return completed;
  }

  /** Replaces several slots by one complete slot. */
  join(slots: readonly Slot[], stage: Stage): void {
    for (const slot of slots) this.#slots.delete(slot);
    const banks = this.#banksOf(stage.slot);
    if (stage.stream === this.#stream) banks.current = stage;
    else banks.earlier = stage;
  }

  /** The slot is dead, with every bank. */
  drop(slot: Slot): void {
    this.#slots.get(slot)?.clear();
    this.#reportedSlots.drop(slot);
  }

  /** Drops these slots, and every slot that this stream has started to report. */
  giveUp(slots: readonly Slot[]): void {
    for (const slot of slots) this.#slots.delete(slot);
    for (const banks of this.#slots.values()) {
      banks.endStream();
      if (banks.earlier === null) this.#slots.delete(banks.slot);
    }
    this.#unproven.clear();
  }

  /**
   * A new stream: slots that the last one left incomplete are dropped.
   *
   * @param from - see `ReportedSlots.restart`
   */
  restart(from?: Slot | null): void {
    this.#stream += 1;
    this.#reportedSlots.restart(from);
    this.giveUp([]);
  }

  forgetThrough(root: Slot): void {
    this.#finalizedSlot = root;
    for (const slot of this.#slots.keys()) if (slot <= root) this.#slots.delete(slot);
    for (const stage of this.#unproven) if (stage.slot <= root) this.#unproven.delete(stage);
    this.#reportedSlots.forgetBelow(root);
  }

  #banksOf(slot: Slot): SlotBanks {
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    const banks = new SlotBanks(slot);
    this.#slots.set(slot, banks);
    return banks;
  }

  #ascendingBanks(): readonly SlotBanks[] {
    return [...this.#slots.values()].toSorted((a, b) => a.slot - b.slot);
  }

  /** @param isWhole - whether the bank starts now, so that the stream reports all of it */
  #begin(banks: SlotBanks, bank: BankId | null, isWhole: boolean): Stage {
    const { slot } = banks;
    if (banks.current !== null) this.#clearAbove(slot);
    const stage = banks.begin(bank, this.#stream);
    if (isWhole) this.#reportedSlots.noteCreated(slot, true);
    return stage;
  }

  /** The slots that build on a bank of this slot were cleared with it. */
  #clearAbove(slot: Slot): void {
    const cleared = new Set([slot]);
    this.#reportedSlots.drop(slot);
    for (const banks of this.#ascendingBanks()) {
      if (!isOn(cleared, banks.stage) && !isOn(cleared, banks.current ?? undefined)) continue;
      banks.clear();
      this.#reportedSlots.drop(banks.slot);
      cleared.add(banks.slot);
    }
    this.#onCleared(slot);
  }

  #giveUpMixed(slot: Slot): void {
    this.#clearAbove(slot);
    this.#banksOf(slot).giveUpMixed();
  }

  #setParent(stage: Stage, parent: Slot): void {
    if (stage.progress === "open") stage.setParent(parent);
    this.#link(stage, parent);
  }

  #link(stage: Stage, parent: Slot): void {
    if (this.#slots.get(stage.slot)?.current === stage) this.#reportedSlots.link(stage.slot, parent);
  }

  /**
   * Null where the same block was complete before. This stream's stage replaces it, since late updates follow this
   * stream's order.
   */
  #settle(stage: Stage): CompletedSlot | null {
    stage.progress = "complete";
    const banks = this.#banksOf(stage.slot);
    if (banks.current !== stage) return null;
    const { earlier } = banks;
    banks.earlier = null;
    if (earlier === null) return { stage, isOtherBlock: false };
    return earlier.isSameBlock(stage) ? null : { stage, isOtherBlock: true };
  }

  #sum(measure: (stage: Stage) => number): number {
    let sum = 0;
    for (const banks of this.#slots.values()) for (const one of banks.stages()) sum += measure(one);
    return sum;
  }
}

/** Whether the parent of a stage is one of these slots. */
const isOn = (slots: ReadonlySet<Slot>, stage: Stage | undefined): boolean =>
  stage !== undefined && stage.parent !== null && slots.has(stage.parent);
