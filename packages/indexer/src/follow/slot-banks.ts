import type { BankId, Slot } from "@lamplight/core";
import { BANKS_PER_SLOT_MAX } from "./limits.ts";
import { Stage } from "./stage.ts";

/** Null where a message does not name its bank; 0 names none. */
export const namedBank = (bank: BankId | undefined): BankId | null =>
  bank === undefined || bank === 0n ? null : bank;

/**
 * The banks of one slot, as streams reported them. A stream usually reports one bank. Sometimes the node clears it and
 * makes another: then the newest one counts, until the stream names the one that was confirmed. Numbers of banks belong
 * to one stream.
 */
export class SlotBanks {
  readonly slot: Slot;
  /** Complete in an earlier stream. It counts until this stream has reported a complete bank. */
  earlier: Stage | null = null;
  /** The bank of this stream that counts. Null before the first update, and after the bank was cleared. */
  current: Stage | null = null;
  /** Whether the node cleared a bank of the slot during this stream. Updates of that bank may still arrive. */
  hasCleared = false;
  /** Banks that were replaced, oldest first. The stream may still confirm one that it names. */
  #replaced: Stage[] = [];
  readonly #gone = new Set<BankId>();
  #confirmed: BankId | null = null;
  #isMixed = false;

  constructor(slot: Slot) {
    this.slot = slot;
  }

  /** The bank that answers are derived from once it is complete. */
  get stage(): Stage | undefined {
    const { current, earlier } = this;
    return (current?.isComplete === true ? current : (earlier ?? current)) ?? undefined;
  }

  /** Everything that is kept. */
  stages(): readonly Stage[] {
    return [this.earlier, this.current, ...this.#replaced].filter((one) => one !== null);
  }

  /**
   * The bank of this stream that an update belongs to: without a name, the current one. Null where it is unknown.
   *
   * @param isInOrder - whether the update proves that the bank is the newest one
   */
  find(bank: BankId | null, isInOrder = false): Stage | null {
    const { current } = this;
    if (bank === null) return current;
    const named = this.#named(bank);
    const isUnnamed = current !== null && current.bank === null && current.progress === "open";
    if (!isUnnamed || named === current || this.isRefused(bank)) return named;
    if (named === null) {
      // The updates of this bank so far did not name it.
      current.bank = bank;
      return current;
    }
    // Its first writes came before its creation, which did not name it.
    if (isInOrder && current.size === 0 && !current.hasBlock) {
      this.current = named;
      this.#replaced = this.#replaced.filter((one) => one !== named);
    }
    return named;
  }

  /** Whether updates of that bank are dropped: it was cleared, or another one is confirmed. */
  isRefused(bank: BankId | null): boolean {
    if (bank === null) return this.#isMixed;
    return this.#gone.has(bank) || (this.#confirmed !== null && this.#confirmed !== bank);
  }

  /** Whether an unnamed creation is that of the current bank, of which something was reported before. */
  get awaitsCreation(): boolean {
    const { current } = this;
    if (current === null || current.isCreated || current.hasBlock || current.progress !== "open")
      return false;
    return current.bank !== null || !this.hasCleared;
  }

  /** A bank starts. The one before it, if any, no longer counts. */
  begin(bank: BankId | null, stream: number): Stage {
    if (this.current !== null) {
      if (this.current.bank !== null) this.#keepAside(this.current);
      this.earlier = null;
      this.hasCleared = true;
    }
    if (bank === null) this.#confirmed = null;
    this.#isMixed = false;
    this.current = new Stage(this.slot, stream, bank);
    return this.current;
  }

  /** A bank whose place among the others is unknown. It counts only if the stream confirms it. */
  addAside(bank: BankId | null, stream: number): Stage {
    const stage = new Stage(this.slot, stream, bank);
    this.#keepAside(stage);
    return stage;
  }

  /**
   * The stream named the confirmed bank. Every other one is dropped.
   *
   * @returns whether another bank counts from here on
   */
  confirm(bank: BankId): boolean {
    const { current } = this;
    const confirmed = this.find(bank) ?? (current?.bank === null ? current : null);
    if (confirmed === null && current === null) return false;
    if (confirmed !== null) confirmed.bank = bank;
    this.#confirmed = bank;
    this.#leave(this.stages().filter((one) => one !== confirmed && one !== this.earlier));
    this.#replaced = [];
    if (confirmed === current) return false;
    this.current = confirmed;
    this.earlier = null;
    this.hasCleared = true;
    return true;
  }

  /** No bank of the slot is left. Late updates of these are dropped where they are named. */
  clear(): void {
    this.#leave(this.stages());
    this.#replaced = [];
    this.earlier = null;
    this.current = null;
    this.hasCleared = true;
    this.#confirmed = null;
    this.#isMixed = false;
  }

  /** One bank was reported with two blocks: the creation of the second bank was lost. No update can be assigned to one of them. */
  giveUpMixed(): void {
    this.clear();
    this.#isMixed = true;
  }

  /** The stream has ended. A bank that it reported completely is kept. */
  endStream(): void {
    const { stage } = this;
    this.clear();
    this.earlier = stage?.isComplete === true ? stage : null;
    this.hasCleared = false;
    this.#gone.clear();
  }

  #named(bank: BankId): Stage | null {
    if (this.current?.bank === bank) return this.current;
    return this.#replaced.find((one) => one.bank === bank) ?? null;
  }

  #keepAside(stage: Stage): void {
    this.#replaced.push(stage);
    this.#leave(this.#replaced.splice(0, this.#replaced.length - BANKS_PER_SLOT_MAX));
  }

  #leave(stages: readonly Stage[]): void {
    for (const { bank } of stages) if (bank !== null) this.#gone.add(bank);
    for (const bank of this.#gone) if (this.#gone.size > BANKS_PER_SLOT_MAX) this.#gone.delete(bank);
  }
}
