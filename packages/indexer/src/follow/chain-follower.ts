import type { Account, ChainEvent, Slot } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import type { ForkOverlay } from "../overlay/fork-overlay.ts";
import { stagedSlotsMax, stagedVersionsMax } from "./limits.ts";
import { Stage } from "./stage.ts";

/** Why the chain cannot be followed on: `missing` is the lowest slot that was needed and never came whole. */
export interface ChainGap {
  readonly rootedSlot: Slot;
  readonly missing: Slot;
}

export interface FollowerState {
  /** Null while everything that the confirmed and finalized slots stand on is here. */
  readonly gap: ChainGap | null;
  readonly stagedSlots: number;
  readonly stagedVersions: number;
  /** Updates of slots that were whole or rooted already. */
  readonly lateUpdates: number;
  readonly deadSlots: number;
  /** Slots that came again with another block. */
  readonly replacedSlots: number;
  readonly restarts: number;
}

export interface ChainFollowerOptions {
  readonly overlay: ForkOverlay;
  /** Called once per gap, and again when another slot is missing: the source should replay from the root. */
  readonly onGap?: (gap: ChainGap) => void;
}

/**
 * Turns what a source tells into slots of the overlay: stages each slot until it is whole and its parent is known, and
 * roots what is finalized as far as no slot is missing. Trusts no order between slots, no single delivery, and no
 * status without its slots.
 */
export class ChainFollower {
  readonly #overlay: ForkOverlay;
  readonly #onGap: (gap: ChainGap) => void;
  readonly #stages = new Map<Slot, Stage>();
  /** Whole slots of an earlier stream that come again: compared when they are whole again. */
  readonly #replays = new Map<Slot, Stage>();
  readonly #confirmed = new Set<Slot>();
  readonly #finalized = new Set<Slot>();
  #stream = 0;
  #gap: ChainGap | null = null;
  #lateUpdates = 0;
  #deadSlots = 0;
  #replacedSlots = 0;

  constructor({ overlay, onGap = () => {} }: ChainFollowerOptions) {
    this.#overlay = overlay;
    this.#onGap = onGap;
  }

  get state(): FollowerState {
    return {
      gap: this.#gap,
      stagedSlots: this.#stages.size,
      stagedVersions: this.#stagedVersions(),
      lateUpdates: this.#lateUpdates,
      deadSlots: this.#deadSlots,
      replacedSlots: this.#replacedSlots,
      restarts: this.#stream,
    };
  }

  /** Takes one event; resolves when what follows from it is done. One call at a time. */
  async take(event: ChainEvent): Promise<void> {
    switch (event.kind) {
      case "account":
        return this.#takeAccount(event.account);
      case "transaction":
        this.#openStage(event.transaction.slot)?.addTransaction(event.transaction);
        return;
      case "block":
        this.#openStage(event.slot)?.setBlock(event);
        return;
      case "slot":
        return this.#takeSlot(event);
      case "restart":
        return this.#restart();
      default:
        return event satisfies never;
    }
  }

  #takeAccount(account: Account): void {
    const stage = this.#openStage(account.slot);
    if (stage === null) this.#lateUpdates += 1;
    else stage.addAccount(account);
  }

  /** Where updates of a slot go; null when it is rooted, or was told to be whole by this stream. */
  #openStage(slot: Slot): Stage | null {
    if (slot <= this.#overlay.state.rootedSlot) return null;
    const known = this.#stages.get(slot);
    if (known === undefined) {
      const stage = new Stage(slot, this.#stream);
      this.#stages.set(slot, stage);
      return stage;
    }
    if (!known.isComplete) return known;
    if (known.stream === this.#stream) return null;
    const replay = this.#replays.get(slot) ?? new Stage(slot, this.#stream);
    this.#replays.set(slot, replay);
    return replay.isComplete ? null : replay;
  }

  async #takeSlot({ slot, parent, status }: Extract<ChainEvent, { kind: "slot" }>): Promise<void> {
    if (slot <= this.#overlay.state.rootedSlot) return;
    switch (status) {
      case "begun":
        if (parent !== null) this.#openStage(slot)?.setParent(parent);
        return;
      case "complete":
        return this.#complete(slot, parent);
      case "confirmed":
        this.#confirmed.add(slot);
        return this.#advance();
      case "finalized":
        this.#confirmed.add(slot);
        this.#finalized.add(slot);
        return this.#advance();
      case "dead":
        this.#deadSlots += 1;
        this.#stages.delete(slot);
        this.#replays.delete(slot);
        this.#overlay.drop(slot);
        return;
      default:
        return status satisfies never;
    }
  }

  async #complete(slot: Slot, parent: Slot | null): Promise<void> {
    const stage = this.#openStage(slot);
    if (stage === null) return;
    if (parent !== null) stage.setParent(parent);
    stage.isComplete = true;
    if (this.#replays.get(slot) === stage) this.#settleReplay(stage);
    this.#keepWithinBounds();
    await this.#advance();
  }

  /** A slot has come again whole: the same block is dropped, another one takes its place with all that stood on it. */
  #settleReplay(stage: Stage): void {
    const known = this.#stages.get(stage.slot);
    this.#replays.delete(stage.slot);
    if (known?.isSameBlock(stage) === true) {
      known.stream = stage.stream;
      return;
    }
    this.#replacedSlots += 1;
    this.#stages.set(stage.slot, stage);
    this.#overlay.drop(stage.slot);
  }

  #restart(): void {
    this.#stream += 1;
    this.#replays.clear();
    for (const stage of this.#stages.values()) if (!stage.isComplete) this.#stages.delete(stage.slot);
  }

  async #advance(): Promise<void> {
    await this.#deriveReady();
    const confirmed = newestOf(this.#confirmed, (slot) => this.#overlay.has(slot));
    if (confirmed !== null) this.#overlay.confirm(confirmed);
    const finalized = newestOf(this.#finalized, (slot) => this.#overlay.has(slot));
    if (finalized !== null) {
      await this.#overlay.root(finalized);
      this.#forgetRooted();
    }
    this.#noteGap();
  }

  /** Derives every whole slot whose parent is there, parents first. */
  async #deriveReady(): Promise<void> {
    for (const stage of [...this.#stages.values()].toSorted((a, b) => a.slot - b.slot)) {
      if (!stage.isComplete || this.#overlay.has(stage.slot) || !this.#isParentReady(stage)) continue;
      try {
        await this.#overlay.add(stage.updates());
      } catch (error) {
        // Over its bounds the overlay refuses; the stages wait, within bounds of their own.
        if (!isLamplightError(error, "CHAIN__ROOTING_STALLED")) throw error;
        return;
      }
    }
  }

  #isParentReady(stage: Stage): boolean {
    const { parent } = stage;
    if (parent === null) return false;
    if (parent !== this.#overlay.state.rootedSlot && !this.#overlay.has(parent)) return false;
    // Another block of the same slot is another parent: this one is still to come.
    return !this.#isOtherBlock(parent, stage.parentBlockhash);
  }

  /** Whether what is known of a slot is not the block of that hash; nothing is said where hashes are not carried. */
  #isOtherBlock(slot: Slot, blockhash: string | null): boolean {
    const known = this.#overlay.blockhashOf(slot) ?? this.#stages.get(slot)?.blockhash ?? null;
    return known !== null && blockhash !== null && known !== blockhash;
  }

  #forgetRooted(): void {
    const { rootedSlot } = this.#overlay.state;
    for (const slot of this.#stages.keys()) if (slot <= rootedSlot) this.#stages.delete(slot);
    for (const slot of this.#replays.keys()) if (slot <= rootedSlot) this.#replays.delete(slot);
    for (const slots of [this.#confirmed, this.#finalized]) {
      for (const slot of slots) if (slot <= rootedSlot) slots.delete(slot);
    }
  }

  /** Follows the newest agreed slot down to the root: whatever is missing on the way is a gap. */
  #noteGap(): void {
    const { rootedSlot } = this.#overlay.state;
    const missing = this.#findMissing(newestOf(this.#finalized) ?? newestOf(this.#confirmed), rootedSlot);
    if (missing === null) {
      this.#gap = null;
      return;
    }
    if (this.#gap?.missing === missing && this.#gap.rootedSlot === rootedSlot) return;
    this.#gap = { rootedSlot, missing };
    this.#onGap(this.#gap);
  }

  #findMissing(from: Slot | null, rootedSlot: Slot): Slot | null {
    let slot = from;
    while (slot !== null && slot > rootedSlot) {
      const stage = this.#stages.get(slot);
      if (stage === undefined || !stage.isComplete || stage.parent === null) return slot;
      // Another block of the parent's slot was told: the one this stands on has to come yet.
      if (this.#isOtherBlock(stage.parent, stage.parentBlockhash)) return stage.parent;
      // A finalized slot that stands beside the root: what is in the store is not its past.
      if (stage.parent < rootedSlot) return slot;
      slot = stage.parent;
    }
    return null;
  }

  /** Too much waits for a root that does not come: what is not derived yet is given up, and has to come again. */
  #keepWithinBounds(): void {
    if (this.#stages.size <= stagedSlotsMax && this.#stagedVersions() <= stagedVersionsMax) return;
    for (const slot of this.#stages.keys()) if (!this.#overlay.has(slot)) this.#stages.delete(slot);
  }

  #stagedVersions(): number {
    let versions = 0;
    for (const stage of this.#stages.values()) versions += stage.accountCount;
    return versions;
  }
}

const newestOf = (slots: ReadonlySet<Slot>, test: (slot: Slot) => boolean = () => true): Slot | null => {
  let newest: Slot | null = null;
  for (const slot of slots) if ((newest === null || slot > newest) && test(slot)) newest = slot;
  return newest;
};
