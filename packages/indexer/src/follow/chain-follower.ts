import type { Account, ChainEvent, Slot, Transaction } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import type { ForkOverlay } from "../overlay/fork-overlay.ts";
import { stagedSlotsMax, stagedVersionsMax, updatesPerCheck } from "./limits.ts";
import { Stage } from "./stage.ts";
import { ToldSlots } from "./told-slots.ts";

/** What was read of slots that a source has lost: those above the root, up to `through`. See `ChainFollower.bridge`. */
export interface HoleFilling {
  readonly rootedSlot: Slot;
  readonly through: Slot;
  /** Of the last missing slot, base58 text. */
  readonly blockhash: string;
  /** At which the accounts are true, if everything that was written up to there is laid over them. */
  readonly slot: Slot;
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
}

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
  /** Gaps so far, this one included. */
  readonly gaps: number;
  /** Times that more was staged than may be: what was not derived was given up, and asked for anew. */
  readonly overflows: number;
  /** Whether nothing more is taken from this stream: only a new one helps. */
  readonly wantsRestart: boolean;
  /** Newest slot that the source has told anything of; null before the first. */
  readonly sourceSlot: Slot | null;
}

export interface ChainFollowerOptions {
  readonly overlay: ForkOverlay;
  /** Called once per gap, and again when another slot is missing: the source should replay from the root. */
  readonly onGap?: (gap: ChainGap) => void;
  /** Defaults are in `limits.ts`. */
  readonly slotsMax?: number;
  readonly versionsMax?: number;
}

/**
 * Turns what a source tells into slots of the overlay: stages each slot until it is whole and its parent is known, and
 * roots what is finalized as far as no slot is missing. Trusts no order between slots, no single delivery, and no
 * status without its slots.
 */
export class ChainFollower {
  readonly #overlay: ForkOverlay;
  readonly #onGap: (gap: ChainGap) => void;
  readonly #slotsMax: number;
  readonly #versionsMax: number;
  readonly #stages = new Map<Slot, Stage>();
  /** Whole slots of an earlier stream that come again: compared when they are whole again. */
  readonly #replays = new Map<Slot, Stage>();
  readonly #toldSlots = new ToldSlots();
  /** Told to be whole, by a stream that may have joined in their midst: they wait for what shows that it did not. */
  readonly #unproven = new Set<Slot>();
  readonly #confirmed = new Set<Slot>();
  readonly #finalized = new Set<Slot>();
  #stream = 0;
  #gap: ChainGap | null = null;
  #lateUpdates = 0;
  #deadSlots = 0;
  #replacedSlots = 0;
  #gaps = 0;
  #overflows = 0;
  #sourceSlot: Slot | null = null;
  /** Updates since the bounds were last looked at. */
  #unchecked = 0;
  /** Set when something of this stream was given up: what is told of it from then on may be half of a slot. */
  #isDeaf = false;

  constructor({ overlay, onGap = () => {}, slotsMax, versionsMax }: ChainFollowerOptions) {
    this.#overlay = overlay;
    this.#onGap = onGap;
    this.#slotsMax = slotsMax ?? stagedSlotsMax;
    this.#versionsMax = versionsMax ?? stagedVersionsMax;
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
      gaps: this.#gaps,
      overflows: this.#overflows,
      wantsRestart: this.#isDeaf,
      sourceSlot: this.#sourceSlot,
    };
  }

  /** Takes one event; resolves when what follows from it is done. One call at a time. */
  async take(event: ChainEvent): Promise<void> {
    if (this.#isDeaf && event.kind !== "restart") return;
    switch (event.kind) {
      case "account":
        this.#takeAccount(event.account);
        return this.#checkNowAndThen();
      case "transaction":
        this.#openStage(event.transaction.slot)?.addTransaction(event.transaction);
        return this.#checkNowAndThen();
      case "block":
        this.#openStage(event.slot)?.setBlock(event);
        this.#toldSlots.link(event.slot, event.parent);
        return;
      case "slot":
        return this.#takeSlot(event);
      case "restart":
        return this.#restart(event.from);
      default:
        return event satisfies never;
    }
  }

  /**
   * Fills a hole with what was read of it elsewhere. That is only true together with all that was told since: the slots
   * from the hole up to the first finalized one that is as new as the reading become one slot, which stands on the root.
   *
   * @returns false while the chain is not finalized so far here, or when the hole is not what is missing
   */
  async bridge(filling: HoleFilling): Promise<boolean> {
    const { rootedSlot } = this.#overlay.state;
    const path = rootedSlot === filling.rootedSlot ? this.#stagedPath(filling) : null;
    const end = path?.findIndex(({ slot }) => slot >= filling.slot) ?? -1;
    if (path === null || end < 0) return false;
    const joined = path.slice(0, end + 1);
    const last = joined.at(-1)!;
    const stage = new Stage(last.slot, last.stream);
    stage.setBlock({ ...last, kind: "block", parent: rootedSlot, parentBlockhash: null });
    stage.isComplete = true;
    stage.addAll(filling.accounts, filling.transactions);
    for (const { accounts, transactions } of joined.map((one) => one.updates()))
      stage.addAll(accounts, transactions);
    for (const { slot } of joined) this.#stages.delete(slot);
    this.#stages.set(stage.slot, stage);
    await this.#advance();
    return true;
  }

  /** After `take` failed because the store was gone for a while: does what is left to do. */
  goOn(): Promise<void> {
    return this.#advance();
  }

  #takeAccount(account: Account): void {
    const stage = this.#openStage(account.slot);
    if (stage === null) this.#lateUpdates += 1;
    else stage.addAccount(account);
  }

  /** Where updates of a slot go; null when it is rooted, or was told to be whole by this stream. */
  #openStage(slot: Slot): Stage | null {
    if (this.#sourceSlot === null || slot > this.#sourceSlot) this.#sourceSlot = slot;
    if (slot <= this.#overlay.state.rootedSlot) return null;
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
    return replay.isComplete ? null : replay;
  }

  async #takeSlot({ slot, parent, status }: Extract<ChainEvent, { kind: "slot" }>): Promise<void> {
    if (slot <= this.#overlay.state.rootedSlot) return;
    switch (status) {
      case "begun":
        if (!this.#hasTold(slot)) this.#toldSlots.begin(slot);
        if (parent !== null) this.#setParent(slot, parent);
        return;
      case "complete":
        return this.#complete(slot, parent);
      case "confirmed":
        this.#remember(this.#confirmed, slot);
        return this.#advance();
      case "finalized":
        this.#remember(this.#confirmed, slot);
        this.#remember(this.#finalized, slot);
        return this.#advance();
      case "dead":
        this.#deadSlots += 1;
        this.#stages.delete(slot);
        this.#replays.delete(slot);
        this.#toldSlots.drop(slot);
        this.#unproven.delete(slot);
        this.#overlay.drop(slot);
        return;
      default:
        return status satisfies never;
    }
  }

  async #complete(slot: Slot, parent: Slot | null): Promise<void> {
    const stage = this.#openStage(slot);
    if (stage === null) return;
    if (parent !== null) this.#setParent(slot, parent);
    this.#unproven.add(slot);
    this.#settleProven();
    await this.#advance();
    this.#keepWithinBounds();
  }

  #setParent(slot: Slot, parent: Slot): void {
    this.#openStage(slot)?.setParent(parent);
    this.#toldSlots.link(slot, parent);
  }

  /** Whether this stream has told anything of a slot that may still be needed. */
  #hasTold(slot: Slot): boolean {
    return this.#replays.has(slot) || this.#stages.get(slot)?.stream === this.#stream;
  }

  /** One slot may show of others that they were told from their beginning: those that stand on it. */
  #settleProven(): void {
    for (const slot of this.#unproven) {
      if (!this.#toldSlots.isWhole(slot)) continue;
      this.#unproven.delete(slot);
      this.#settle(this.#replays.get(slot) ?? this.#stages.get(slot)!);
    }
  }

  #settle(stage: Stage): void {
    stage.isComplete = true;
    if (this.#replays.get(stage.slot) === stage) this.#settleReplay(stage);
    else if (this.#overlay.has(stage.slot)) this.#settleTakenOver(stage);
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

  /** An earlier process had derived the slot: it stays unless it is another block, or nothing tells that it is not. */
  #settleTakenOver({ slot, blockhash }: Stage): void {
    if (blockhash !== null && blockhash === this.#overlay.blockhashOf(slot)) return;
    this.#replacedSlots += 1;
    this.#overlay.drop(slot);
  }

  /** Of statuses the newest count: more are only told while nothing is rooted. */
  #remember(slots: Set<Slot>, slot: Slot): void {
    slots.add(slot);
    const [oldest] = slots;
    if (slots.size > this.#slotsMax && oldest !== undefined) slots.delete(oldest);
  }

  #restart(from?: Slot | null): void {
    this.#stream += 1;
    this.#isDeaf = false;
    this.#toldSlots.restart(from);
    this.#unproven.clear();
    this.#replays.clear();
    for (const stage of this.#stages.values()) if (!stage.isComplete) this.#stages.delete(stage.slot);
  }

  async #advance(): Promise<void> {
    await this.#catchUp();
    await this.#deriveReady();
    const confirmed = newestOf(this.#confirmed, (slot) => this.#overlay.has(slot));
    if (confirmed !== null) this.#overlay.confirm(confirmed);
    const finalized = newestOf(this.#finalized, (slot) => this.#overlay.has(slot));
    if (finalized !== null) {
      const wasStalled = this.#overlay.isStalled;
      await this.#overlay.root(finalized);
      this.#forgetRooted();
      if (wasStalled) await this.#deriveReady();
    }
    this.#noteGap();
  }

  /**
   * What is finalized comes before all that waits beside it. Far behind, it may be more than the overlay holds at once:
   * then what is derived of it goes into the store, for it is final too.
   */
  async #catchUp(): Promise<void> {
    for (const stage of this.#finalizedPath()) {
      if (this.#overlay.has(stage.slot)) continue;
      const { parent } = stage;
      if (this.#overlay.isStalled && parent !== null) await this.#overlay.root(parent);
      // Forks alone fill it: they wait in their stages until there is room.
      if (this.#overlay.isStalled) await this.#overlay.reset();
      await this.#overlay.add(stage.updates());
    }
  }

  /** Whole slots from the root up to the newest finalized one; none while one of them is missing. */
  #finalizedPath(): readonly Stage[] {
    const { rootedSlot } = this.#overlay.state;
    const path: Stage[] = [];
    for (let slot = newestOf(this.#finalized) ?? rootedSlot; slot !== rootedSlot;) {
      const stage = this.#stages.get(slot);
      if (stage === undefined || !stage.isComplete || stage.parent === null) return [];
      if (slot < rootedSlot || this.#isOtherBlock(stage.parent, stage.parentBlockhash)) return [];
      path.unshift(stage);
      slot = stage.parent;
    }
    return path;
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
    for (const slot of this.#unproven) if (slot <= rootedSlot) this.#unproven.delete(slot);
    this.#toldSlots.forgetBelow(rootedSlot);
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
    this.#tellGap({ rootedSlot, missing });
  }

  #tellGap(gap: ChainGap): void {
    this.#gap = gap;
    this.#gaps += 1;
    this.#onGap(gap);
  }

  /** Stages from the one that stands on the hole up to the newest finalized one; null when they do not. */
  #stagedPath({ through, blockhash }: HoleFilling): readonly Stage[] | null {
    const path: Stage[] = [];
    for (let slot = newestOf(this.#finalized); slot !== null && slot > through;) {
      const stage = this.#stages.get(slot);
      if (stage === undefined || !stage.isComplete || stage.parent === null) return null;
      path.unshift(stage);
      slot = stage.parent;
    }
    const [first] = path;
    if (first?.parent !== through) return null;
    return first.parentBlockhash === null || first.parentBlockhash === blockhash ? path : null;
  }

  #findMissing(from: Slot | null, rootedSlot: Slot): Slot | null {
    let slot = from;
    while (slot !== null && slot > rootedSlot) {
      const stage = this.#stages.get(slot);
      const parent = stage?.isComplete === true ? stage.parent : this.#overlay.parentOf(slot);
      if (parent === undefined || parent === null) return slot;
      // Another block of the parent's slot was told: the one this stands on has to come yet.
      if (stage !== undefined && this.#isOtherBlock(parent, stage.parentBlockhash)) return parent;
      // A finalized slot that stands beside the root: what is in the store is not its past.
      if (parent < rootedSlot) return slot;
      slot = parent;
    }
    return null;
  }

  #checkNowAndThen(): void {
    this.#unchecked += 1;
    if (this.#unchecked >= Math.min(updatesPerCheck, this.#versionsMax)) this.#keepWithinBounds();
  }

  /**
   * Too much waits for slots that do not become whole, or for a root that does not come: what is not derived yet is
   * given up, and the source has to begin anew. Half a slot must never look like a whole one, so nothing more is taken
   * from this stream.
   */
  #keepWithinBounds(): void {
    this.#unchecked = 0;
    if (this.#stages.size <= this.#slotsMax && this.#stagedVersions() <= this.#versionsMax) return;
    const given = [...this.#stages.keys()].filter((slot) => !this.#overlay.has(slot));
    if (given.length === 0) return;
    for (const slot of given) this.#stages.delete(slot);
    this.#unproven.clear();
    this.#replays.clear();
    this.#isDeaf = true;
    this.#overflows += 1;
    this.#tellGap({ rootedSlot: this.#overlay.state.rootedSlot, missing: Math.min(...given) });
  }

  #stagedVersions(): number {
    let versions = 0;
    for (const stage of [...this.#stages.values(), ...this.#replays.values()]) versions += stage.size;
    return versions;
  }
}

const newestOf = (slots: ReadonlySet<Slot>, test: (slot: Slot) => boolean = () => true): Slot | null => {
  let newest: Slot | null = null;
  for (const slot of slots) if ((newest === null || slot > newest) && test(slot)) newest = slot;
  return newest;
};
