import type { ChainEvent, GapFilling, Slot } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import type { ForkOverlay } from "../overlay/fork-overlay.ts";
import { transactionBytes } from "../overlay/transaction-bytes.ts";
import { AgreedSlots } from "./agreed-slots.ts";
import { joinGap } from "./join-gap.ts";
import {
  bytesPerCheck,
  stagedBytesMax,
  stagedSlotsMax,
  stagedVersionsMax,
  updatesPerCheck,
} from "./limits.ts";
import { type ChainGap, NotedGap } from "./noted-gap.ts";
import type { Stage } from "./stage.ts";
import { StagedChain } from "./staged-chain.ts";
import { StagedSlots } from "./staged-slots.ts";
import { StaleSlots } from "./stale-slots.ts";

export interface FollowerState {
  /** Null while everything that the confirmed and finalized slots stand on is here. */
  readonly gap: ChainGap | null;
  readonly stagedSlots: number;
  readonly stagedVersions: number;
  readonly stagedBytes: number;
  /** Updates of slots whose end was reported already, or that are rooted. */
  readonly lateUpdates: number;
  readonly deadSlots: number;
  /** Slots that came again with another block, or with more than was reported before their end. */
  readonly replacedSlots: number;
  readonly restarts: number;
  /** Gaps so far, this one included; all slots missing above one finalized slot are one gap. */
  readonly gaps: number;
  /** Times that more was staged than may be: what was not derived was given up, and asked for anew. */
  readonly overflows: number;
  /** Whether nothing more is taken from this stream: only a new one helps. */
  readonly wantsRestart: boolean;
  /** Newest slot that anything was taken of; null before the first. */
  readonly sourceSlot: Slot | null;
}

export interface ChainFollowerOptions {
  readonly overlay: ForkOverlay;
  /** Called once per gap, and again when another slot is missing: the source should replay from the root. */
  readonly onGap?: (gap: ChainGap) => void;
  /** Defaults are in `limits.ts`. */
  readonly slotsMax?: number;
  readonly versionsMax?: number;
  readonly bytesMax?: number;
}

/**
 * Turns what a source tells into slots of the overlay: stages each slot until it is whole and its parent is known, and
 * roots what is finalized as far as no slot is missing. Trusts no order between slots, no single delivery, and no
 * status without its slots.
 */
export class ChainFollower {
  readonly #overlay: ForkOverlay;
  readonly #bounds: Record<"slots" | "versions" | "bytes", number>;
  readonly #staged: StagedSlots;
  readonly #chain: StagedChain;
  readonly #agreed: AgreedSlots;
  readonly #gap: NotedGap;
  readonly #stale: StaleSlots;
  #lateUpdates = 0;
  #deadSlots = 0;
  #replacedSlots = 0;
  #overflows = 0;
  #sourceSlot: Slot | null = null;
  /** Since the bounds were last looked at. */
  #unchecked = { updates: 0, bytes: 0 };
  /** Set when something of this stream was given up: what is reported of it from then on may be half of a slot. */
  #isDeaf = false;

  constructor({ overlay, onGap = () => {}, slotsMax, versionsMax, bytesMax }: ChainFollowerOptions) {
    this.#overlay = overlay;
    this.#bounds = {
      slots: slotsMax ?? stagedSlotsMax,
      versions: versionsMax ?? stagedVersionsMax,
      bytes: bytesMax ?? stagedBytesMax(),
    };
    this.#staged = new StagedSlots(overlay.state.rootedSlot);
    this.#chain = new StagedChain(this.#staged, overlay);
    this.#agreed = new AgreedSlots(this.#bounds.slots);
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
      wantsRestart: this.#isDeaf,
      sourceSlot: this.#sourceSlot,
    };
  }

  /** Takes one event; resolves when what follows from it is done. One call at a time. */
  async take(event: ChainEvent): Promise<void> {
    if (event.kind === "restart") {
      this.#isDeaf = false;
      return this.#staged.restart(event.from);
    }
    if (this.#isDeaf) return;
    switch (event.kind) {
      case "account":
        return this.#takeUpdate(event.account.slot, event.account.data.length, (stage) =>
          stage.addAccount(event.account),
        );
      case "transaction":
        return this.#takeUpdate(event.transaction.slot, transactionBytes(event.transaction), (stage) =>
          stage.addTransaction(event.transaction),
        );
      case "block":
        this.#noteSource(event.slot);
        return this.#staged.setBlock(event);
      case "slot":
        this.#noteSource(event.slot);
        return event.slot <= this.#overlay.state.rootedSlot ? undefined : this.#takeSlot(event);
      default:
        return event satisfies never;
    }
  }

  /**
   * Fills a gap with what was read of it elsewhere. That is only true together with all that was reported since: the slots
   * from the gap up to the first finalized one that is as new as the reading become one slot, which stands on the root.
   *
   * @returns false while the chain is not finalized so far here, or when the gap is not what is missing
   */
  async bridge(filling: GapFilling): Promise<boolean> {
    const { rootedSlot } = this.#overlay.state;
    const path = rootedSlot === filling.rootedSlot ? this.#pathAbove(filling) : null;
    const end = path?.findIndex(({ slot }) => slot >= filling.slot) ?? -1;
    if (path === null || end < 0) return false;
    const joined = path.slice(0, end + 1);
    this.#staged.join(
      joined.map(({ slot }) => slot),
      joinGap(rootedSlot, filling, joined),
    );
    await this.#advance();
    return true;
  }

  /** After `take` failed because the store was gone for a while: does what is left to do. */
  goOn(): Promise<void> {
    return this.#advance();
  }

  #takeUpdate(slot: Slot, bytes: number, add: (stage: Stage) => boolean): void {
    this.#noteSource(slot);
    const stage = this.#staged.open(slot);
    if (stage === null) this.#takeLate(slot, add);
    else add(stage);
    this.#unchecked.updates += 1;
    this.#unchecked.bytes += bytes;
    const { updates, bytes: uncheckedBytes } = this.#unchecked;
    if (
      updates >= Math.min(updatesPerCheck, this.#bounds.versions) ||
      uncheckedBytes >= Math.min(bytesPerCheck, this.#bounds.bytes)
    )
      this.#keepWithinBounds();
  }

  /**
   * Some servers tell the end of a slot before its last updates: if these say anything new, it is derived anew, with
   * the next word of any slot. Until then it is answered as it was: what was confirmed stays so.
   */
  #takeLate(slot: Slot, add: (stage: Stage) => boolean): void {
    this.#lateUpdates += 1;
    const stage = this.#staged.ended(slot);
    if (stage === null || !add(stage) || !this.#overlay.has(slot)) return;
    if (this.#stale.note(slot)) this.#replacedSlots += 1;
  }

  #noteSource(slot: Slot): void {
    if (this.#sourceSlot === null || slot > this.#sourceSlot) this.#sourceSlot = slot;
  }

  async #takeSlot({ slot, parent, status }: Extract<ChainEvent, { kind: "slot" }>): Promise<void> {
    switch (status) {
      case "begun":
        return this.#staged.begin(slot, parent);
      case "complete":
        return this.#end(slot, parent);
      case "confirmed":
        this.#agreed.confirm(slot);
        return this.#advance();
      case "finalized":
        this.#agreed.finalize(slot);
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

  async #end(slot: Slot, parent: Slot | null): Promise<void> {
    for (const { stage, isOtherBlock } of this.#staged.end(slot, parent)) {
      if (!isOtherBlock && !this.#isOtherThanTakenOver(stage)) continue;
      this.#replacedSlots += 1;
      if (stage.blockhash !== null && stage.blockhash === this.#overlay.blockhashOf(stage.slot))
        this.#stale.note(stage.slot);
      else this.#overlay.drop(stage.slot);
    }
    await this.#advance();
    this.#keepWithinBounds();
  }

  /**
   * An earlier process had derived the slot: it stays unless it is another block, or nothing tells that it is not, or
   * that process ended before it derived all its updates.
   */
  #isOtherThanTakenOver(stage: Stage): boolean {
    const { slot, blockhash, parent } = stage;
    if (!this.#overlay.has(slot)) return false;
    if (blockhash === null || blockhash !== this.#overlay.blockhashOf(slot)) return true;
    return parent !== null && this.#overlay.isShownOtherwise(stage.updates());
  }

  async #advance(): Promise<void> {
    await this.#stale.derive();
    if (!this.#stale.isWaiting) await this.#catchUp();
    await this.#deriveReady();
    const confirmed = this.#agreed.newestConfirmed((slot) => this.#overlay.has(slot));
    if (confirmed !== null) this.#overlay.confirm(confirmed);
    const finalized = this.#agreed.newestFinalized((slot) => this.#overlay.has(slot));
    // What is known to lack something must not go into the store.
    if (finalized !== null && !this.#stale.isWaiting) {
      const wasStalled = this.#overlay.isStalled;
      await this.#root(finalized);
      if (wasStalled) await this.#deriveReady();
    }
    const tip = this.#agreed.newestFinalized() ?? this.#agreed.newestConfirmed();
    this.#gap.note(this.#chain.findMissing(tip), this.#overlay.state.rootedSlot);
  }

  async #root(slot: Slot): Promise<void> {
    await this.#overlay.root(slot);
    const { rootedSlot } = this.#overlay.state;
    this.#staged.forgetThrough(rootedSlot);
    this.#agreed.forgetThrough(rootedSlot);
  }

  /**
   * What is finalized comes before all that waits beside it. Far behind, it may be more than the overlay holds at once:
   * then what is derived of it goes into the store, for it is final too.
   */
  async #catchUp(): Promise<void> {
    for (const stage of this.#finalizedPath()) {
      if (this.#overlay.has(stage.slot)) continue;
      const { parent } = stage;
      if (this.#overlay.isStalled && parent !== null) await this.#root(parent);
      // Forks alone fill it: they wait in their stages until there is room.
      if (this.#overlay.isStalled) await this.#overlay.reset();
      await this.#overlay.add(stage.updates());
    }
  }

  /** Whole slots from the root up to the newest finalized one; none while one of them is missing. */
  #finalizedPath(): readonly Stage[] {
    const tip = this.#agreed.newestFinalized();
    const path = tip === null ? null : this.#chain.pathTo(tip, this.#overlay.state.rootedSlot);
    const first = path?.[0];
    return first !== undefined && this.#chain.isParentReady(first) ? path! : [];
  }

  /** Staged slots from the one that stands on the gap up to the newest finalized one; null when they do not. */
  #pathAbove({ through, blockhash }: GapFilling): readonly Stage[] | null {
    const tip = this.#agreed.newestFinalized();
    const path = tip === null ? null : this.#chain.pathTo(tip, through);
    const wanted = path?.[0]?.parentBlockhash ?? null;
    return wanted === null || wanted === blockhash ? path : null;
  }

  /** Derives every whole slot whose parent is there, parents first; none while too much is staged for a root to come. */
  async #deriveReady(): Promise<void> {
    if (!this.#isWithinBounds()) return;
    for (const stage of this.#staged.ascending()) {
      if (!stage.isComplete || this.#overlay.has(stage.slot) || !this.#chain.isParentReady(stage)) continue;
      try {
        await this.#overlay.add(stage.updates());
      } catch (error) {
        // Over its bounds the overlay refuses; the stages wait, within bounds of their own.
        if (!isLamplightError(error, "CHAIN__ROOTING_STALLED")) throw error;
        return;
      }
    }
  }

  /**
   * Too much waits for slots that do not become whole, or for a root that does not come: what is not derived yet is
   * given up, and the source has to begin anew. Half a slot must never look like a whole one, so nothing more is taken
   * from this stream.
   */
  #keepWithinBounds(): void {
    this.#unchecked = { updates: 0, bytes: 0 };
    if (this.#isWithinBounds()) return;
    const staged = this.#staged;
    const given = staged.ascending().flatMap(({ slot }) => (this.#overlay.has(slot) ? [] : [slot]));
    // With all of it derived, it is what comes again, or late, that there is no room for.
    const missing = given[0] ?? staged.oldestReplay() ?? staged.ascending().at(-1)!.slot;
    staged.giveUp(given);
    this.#isDeaf = true;
    this.#overflows += 1;
    this.#gap.tell({ rootedSlot: this.#overlay.state.rootedSlot, missing });
  }

  #isWithinBounds(): boolean {
    const { slots, versions, bytes } = this.#bounds;
    const staged = this.#staged;
    return staged.slots <= slots && staged.versions() <= versions && staged.bytes() <= bytes;
  }
}
