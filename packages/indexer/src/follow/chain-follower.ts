import { type BankId, type ChainEvent, type GapFilling, type Slot, SlotRate } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import type { ForkOverlay } from "../overlay/fork-overlay.ts";
import { transactionBytes } from "../overlay/transaction-bytes.ts";
import { AgreedSlots } from "./agreed-slots.ts";
import type { FollowerState } from "./follower-state.ts";
import { mergeGap } from "./merge-gap.ts";
import { EXPECTED_AGAIN_SECONDS, stagedBytesMax, STAGED_SLOTS_MAX, stagedVersionsMax } from "./limits.ts";
import { type ChainGap, NotedGap } from "./noted-gap.ts";
import { namedBank } from "./slot-banks.ts";
import type { Stage } from "./stage.ts";
import { StagedChain } from "./staged-chain.ts";
import { StagedSlots } from "./staged-slots.ts";
import { StaleSlots } from "./stale-slots.ts";

export interface ChainFollowerOptions {
  readonly overlay: ForkOverlay;
  /** Called once per gap, and again when another slot is missing. The source should replay from the finalized slot. */
  readonly onGap?: (gap: ChainGap) => void;
  /** Slots a second of the chain, for bounds that are times; default: never measured. */
  readonly rate?: SlotRate;
  /** Defaults are in `limits.ts`. */
  readonly slotsMax?: number;
  readonly versionsMax?: number;
  readonly bytesMax?: number;
}

/**
 * Turns the events of a source into slots of the overlay. Each slot is staged until it is complete and its parent is
 * known, then derived. Finalized slots are committed as far as no slot is missing below them. No order of slots and no
 * status is trusted without the slots themselves.
 */
export class ChainFollower {
  readonly #overlay: ForkOverlay;
  readonly #staged: StagedSlots;
  readonly #chain: StagedChain;
  readonly #agreed: AgreedSlots;
  readonly #gap: NotedGap;
  readonly #stale: StaleSlots;
  readonly #rate: SlotRate;
  #lateUpdates = 0;
  #deadSlots = 0;
  #replacedSlots = 0;
  #overflows = 0;
  #sourceSlot: Slot | null = null;
  /** Set when events of this stream were dropped. Its later slots may be incomplete. */
  #needsRestart = false;

  constructor({ overlay, onGap = () => {}, rate, slotsMax, versionsMax, bytesMax }: ChainFollowerOptions) {
    this.#overlay = overlay;
    this.#rate = rate ?? new SlotRate();
    const bounds = {
      slots: slotsMax ?? STAGED_SLOTS_MAX,
      versions: versionsMax ?? stagedVersionsMax,
      bytes: bytesMax ?? stagedBytesMax(),
    };
    this.#staged = new StagedSlots(overlay.state.finalizedSlot, bounds, (slot) => this.#clear(slot));
    this.#chain = new StagedChain(this.#staged, overlay);
    this.#agreed = new AgreedSlots(bounds.slots);
    this.#gap = new NotedGap(onGap);
    this.#stale = new StaleSlots(this.#staged, overlay);
  }

  get state(): FollowerState {
    return {
      gap: this.#gap.gap,
      stagedSlots: this.#staged.slots,
      stagedVersions: this.#staged.versions(),
      stagedBytes: this.#staged.bytes(),
      lateUpdates: this.#lateUpdates,
      deadSlots: this.#deadSlots,
      replacedSlots: this.#replacedSlots,
      restarts: this.#staged.stream,
      gaps: this.#gap.count,
      overflows: this.#overflows,
      needsRestart: this.#needsRestart,
      sourceSlot: this.#sourceSlot,
    };
  }

  /**
   * Processes one event. Resolves when every slot that the event completes is derived and committed. One call at a
   * time.
   */
  async take(event: ChainEvent): Promise<void> {
    if (event.kind === "restart") {
      this.#needsRestart = false;
      return this.#staged.restart(event.from);
    }
    if (event.kind === "again") return this.#staged.askAgain(event.slots);
    if (this.#needsRestart) return;
    switch (event.kind) {
      case "account":
        return this.#takeUpdate(event, event.account.slot, event.account.data.length, (stage) =>
          stage.addAccount(event.account),
        );
      case "transaction":
        return this.#takeUpdate(event, event.transaction.slot, transactionBytes(event.transaction), (stage) =>
          stage.addTransaction(event.transaction),
        );
      case "block":
        this.#noteSource(event.slot);
        return this.#staged.setBlock(event);
      case "confirmed":
        return this.#takeConfirmed(event);
      case "rollback":
        return this.#rollBack();
      case "slot":
        this.#noteSource(event.slot);
        return event.slot <= this.#overlay.state.finalizedSlot ? undefined : this.#takeSlot(event);
      default:
        return event satisfies never;
    }
  }

  /**
   * Fills a gap with data that was read elsewhere. That data is only correct together with everything reported since.
   * So all slots from the gap up to the first finalized one that is as new as the data are merged into one slot above
   * the finalized slot.
   *
   * @returns false while the chain is not finalized so far, or when another slot is missing
   */
  async fillGap(filling: GapFilling): Promise<boolean> {
    const { finalizedSlot } = this.#overlay.state;
    const path =
      finalizedSlot === filling.finalizedSlot
        ? this.#chain.pathAboveGap(filling, this.#agreed.newestFinalized())
        : null;
    const end = path?.findIndex(({ slot }) => slot >= filling.slot) ?? -1;
    if (path === null || end < 0) return false;
    const joined = path.slice(0, end + 1);
    this.#staged.join(
      joined.map(({ slot }) => slot),
      mergeGap(finalizedSlot, filling, joined),
    );
    await this.#advance();
    return true;
  }

  /** The caller calls it after `take` failed because the store was unavailable. It completes the work of that event. */
  goOn(): Promise<void> {
    return this.#advance();
  }

  #takeUpdate(
    { kind, bank }: { readonly kind: "account" | "transaction"; readonly bank?: BankId },
    slot: Slot,
    bytes: number,
    add: (stage: Stage) => boolean,
  ): void {
    this.#noteSource(slot);
    // Accounts are reported in the order in which the node writes them, transactions later.
    const stage = this.#staged.stageOf(slot, namedBank(bank), kind === "account");
    if (stage?.progress === "open") add(stage);
    else this.#takeLate(slot, stage, add);
    if (this.#staged.noteReceived(bytes)) this.#keepWithinBounds();
  }

  /**
   * Some servers report the end of a slot before its last updates. If these are new, the slot is derived again with
   * the next event of any slot. Until then, answers use the first result, and a confirmed slot stays confirmed.
   *
   * @param stage - null where the slot is finalized, or its bank was cleared
   */
  #takeLate(slot: Slot, stage: Stage | null, add: (stage: Stage) => boolean): void {
    if (!this.#staged.isAskedAgain(slot)) this.#lateUpdates += 1;
    if (stage === null || !add(stage) || stage !== this.#staged.get(slot) || !this.#overlay.has(slot)) return;
    if (this.#stale.note(slot)) this.#replacedSlots += 1;
  }

  /**
   * The node replaced the bank of a slot. States derived from that bank, and from its children, are no part of the
   * chain.
   */
  #clear(slot: Slot): void {
    if (!this.#overlay.has(slot)) return;
    this.#replacedSlots += 1;
    this.#overlay.drop(slot);
  }

  /** Derived and confirmed in one turn, so that no view sees a slot of this source as processed only. */
  #takeConfirmed(event: Extract<ChainEvent, { kind: "confirmed" }>): Promise<void> {
    const { slot, parent, accounts, transactions } = event;
    this.#noteSource(slot);
    const stage = this.#staged.stageOf(slot, null, true);
    if (stage?.progress === "open") stage.addAll(accounts, transactions);
    this.#agreed.confirm(slot);
    return this.#end(slot, null, parent);
  }

  #rollBack(): Promise<void> {
    this.#staged.giveUp(this.#staged.ascending().map(({ slot }) => slot));
    this.#agreed.clear();
    this.#gap.note(null, this.#overlay.state.finalizedSlot);
    return this.#overlay.reset();
  }

  #noteSource(slot: Slot): void {
    if (this.#sourceSlot === null || slot > this.#sourceSlot) this.#sourceSlot = slot;
  }

  async #takeSlot({
    slot,
    parent,
    status,
    blockhash = null,
    bank: named,
  }: Extract<ChainEvent, { kind: "slot" }>): Promise<void> {
    const bank = namedBank(named);
    switch (status) {
      case "createdBank":
        return this.#staged.noteCreated(slot, bank, parent);
      case "complete":
        return this.#end(slot, bank, parent);
      case "confirmed":
        if (bank !== null) this.#staged.confirm(slot, bank);
        this.#agreed.confirm(slot);
        return this.#advance();
      case "finalized":
        if (bank !== null) this.#staged.confirm(slot, bank);
        this.#agreed.finalize(slot);
        this.#staged.get(slot)?.noteBlockhash(blockhash);
        return this.#advance();
      case "dead":
        this.#deadSlots += 1;
        this.#staged.drop(slot);
        this.#overlay.drop(slot);
        return;
      default:
        return status satisfies never;
    }
  }

  async #end(slot: Slot, bank: BankId | null, parent: Slot | null): Promise<void> {
    for (const { stage, isOtherBlock } of this.#staged.end(slot, bank, parent)) {
      if (!isOtherBlock && !this.#differsFromTakenOver(stage)) continue;
      this.#replacedSlots += 1;
      if (stage.blockhash !== null && stage.blockhash === this.#overlay.blockhashOf(stage.slot))
        this.#stale.note(stage.slot);
      else this.#overlay.drop(stage.slot);
    }
    await this.#advance();
    this.#keepWithinBounds();
  }

  /**
   * An earlier process derived this slot. It is derived again if the block differs, its hash is unknown, or that
   * process ended before it derived all updates.
   */
  #differsFromTakenOver(stage: Stage): boolean {
    const { slot, blockhash, parent } = stage;
    if (!this.#overlay.has(slot)) return false;
    if (blockhash === null || blockhash !== this.#overlay.blockhashOf(slot)) return true;
    return parent !== null && this.#overlay.differsFromPublished(stage.updates());
  }

  async #advance(): Promise<void> {
    await this.#stale.derive();
    if (!this.#stale.isWaiting) await this.#catchUp();
    await this.#deriveReady();
    const confirmed = this.#agreed.newestConfirmed((slot) => this.#overlay.has(slot));
    if (confirmed !== null) this.#overlay.confirm(confirmed);
    const finalized = this.#agreed.newestFinalized((slot) => this.#overlay.has(slot));
    // A slot that is known to be incomplete must not be committed.
    if (finalized !== null && !this.#stale.isWaiting) {
      const wasStalled = this.#overlay.isStalled;
      await this.#finalize(finalized);
      if (wasStalled) await this.#deriveReady();
    }
    const newest = this.#agreed.newestFinalized() ?? this.#agreed.newestConfirmed();
    const missing = this.#chain.findMissing(newest);
    this.#gap.note(
      missing !== null && this.#isExpected(missing) ? null : missing,
      this.#overlay.state.finalizedSlot,
    );
  }

  /** A slot that the stream was asked to replay is a gap only if it does not arrive for long. */
  #isExpected(slot: Slot): boolean {
    return (
      (this.#sourceSlot ?? 0) < slot + this.#rate.slotsIn(EXPECTED_AGAIN_SECONDS) &&
      this.#staged.isExpectedAgain(slot)
    );
  }

  async #finalize(slot: Slot): Promise<void> {
    await this.#overlay.finalize(slot, this.#staged.get(slot)?.blockhash ?? null);
    const { finalizedSlot } = this.#overlay.state;
    this.#staged.forgetThrough(finalizedSlot);
    this.#agreed.forgetThrough(finalizedSlot);
  }

  /**
   * Derives the finalized path before its forks. Far behind, that path may exceed the bounds of the overlay. Then its
   * derived part is committed first, because it is finalized too.
   */
  async #catchUp(): Promise<void> {
    for (const stage of this.#chain.pathAboveFinalized(this.#agreed.newestFinalized())) {
      if (this.#overlay.has(stage.slot)) continue;
      const { parent } = stage;
      if (this.#overlay.isStalled && parent !== null) await this.#finalize(parent);
      // Only forks are left. They stay staged until there is room.
      if (this.#overlay.isStalled) await this.#overlay.reset();
      await this.#overlay.add(this.#chain.updatesOf(stage));
    }
  }

  /** Derives every complete slot whose parent is known, parents first; none while the staged slots exceed their bounds. */
  async #deriveReady(): Promise<void> {
    if (!this.#staged.isWithinBounds()) return;
    for (const stage of this.#staged.ascending()) {
      if (!stage.isComplete || this.#overlay.has(stage.slot) || !this.#chain.isParentReady(stage)) continue;
      try {
        await this.#overlay.add(this.#chain.updatesOf(stage));
      } catch (error) {
        // The overlay rejects slots beyond its bounds. They stay staged, within the bounds of the stage.
        if (!isLamplightError(error, "CHAIN__FINALITY_STALLED")) throw error;
        return;
      }
    }
  }

  /**
   * Too much is staged, because slots stay incomplete or nothing is finalized. Underived slots are dropped, and the
   * source must start again. Nothing more is accepted from this stream: an incomplete slot must never look complete.
   */
  #keepWithinBounds(): void {
    if (this.#staged.checkBounds()) return;
    const staged = this.#staged;
    const given = staged.ascending().flatMap(({ slot }) => (this.#overlay.has(slot) ? [] : [slot]));
    // If all of it is derived, there is no room for replayed slots or late updates.
    const missing = given[0] ?? staged.oldestReplay() ?? staged.ascending().at(-1)!.slot;
    staged.giveUp(given);
    this.#needsRestart = true;
    this.#overflows += 1;
    this.#gap.emit({ finalizedSlot: this.#overlay.state.finalizedSlot, missing });
  }
}
