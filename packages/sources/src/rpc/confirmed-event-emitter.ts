import type { ConfirmedEvent, Slot } from "@lamplight/core";
import type { ChainChecks } from "./chain-checks.ts";
import type { FollowState } from "./follow-state.ts";
import { fillBatchMax } from "./limits.ts";
import type { PendingSlots } from "./pending-slots.ts";

export interface EmitterOptions {
  readonly isHeld: () => boolean;
  /** Whether a session may still be adding to what is known. */
  readonly isBusy: () => boolean;
}

/** A slot that is final, and waits for its hash. */
interface FinalSlot {
  readonly slot: Slot;
  /** Undefined = not answered yet. */
  blockhash: string | null | undefined;
}

/** The first slot of a store that was empty, which makes what was read at many slots one. */
interface FirstSlot {
  readonly slot: Slot;
  /** Null once it was reported. */
  reported: ReturnType<PendingSlots["take"]> | null;
}

/** Decides what is reported on next. */
export class ConfirmedEventEmitter {
  readonly #state: FollowState;
  readonly #checks: ChainChecks;
  readonly #options: EmitterOptions;
  #final: FinalSlot | null = null;
  /** Which slots are final is being asked; another object than when it was asked: that answer is of no use any more. */
  #question: object | null = null;
  /** Whether the filling of an empty store still lacks its first slot. */
  #owesFirst = false;
  #first: FirstSlot | null = null;
  /** The root that was looked at last, and could not be settled then. */
  #checkedRoot: Slot | null = null;

  constructor(state: FollowState, checks: ChainChecks, options: EmitterOptions) {
    this.#state = state;
    this.#checks = checks;
    this.#options = options;
  }

  /** Roots that could not be settled are looked at again. */
  retryRoot(): void {
    this.#checkedRoot = null;
  }

  /** Null when there is nothing to tell for now. */
  async next(): Promise<ConfirmedEvent | null> {
    if (this.#state.mustRewind) return this.#rewind();
    if (!this.#state.isFilled) return this.#nextOfFilling();
    if (this.#owesFirst) return this.#nextOfFirst();
    if (this.#final === null && this.#question === null) void this.#findFinal();
    return this.#nextFinal() ?? this.#nextSlot();
  }

  async #nextOfFilling(): Promise<ConfirmedEvent | null> {
    const state = this.#state;
    const { filling, filledAt: slot } = state;
    if (filling.size > 0) {
      const reported = filling.takeSome(fillBatchMax);
      state.bell.ring();
      return { kind: "fill", ...reported };
    }
    if (slot === null) return null;
    state.filledAt = null;
    state.isFilled = true;
    state.bell.ring();
    const { watermark } = state;
    this.#owesFirst = watermark === null;
    // What a store held before stays as of its watermark: the next slot brings all of it to one again.
    this.#standAt(watermark?.slot ?? slot);
    return watermark === null ? null : { kind: "filled", watermark };
  }

  /** What was read for an empty store is of many slots; only a slot reported after all of it, and final, makes it one. */
  async #nextOfFirst(): Promise<ConfirmedEvent | null> {
    const { line, pending } = this.#state;
    if (this.#first === null) {
      const slot = line.next(pending, this.#state.ceiling());
      if (slot === null) return null;
      this.#first = { slot, reported: pending.take(slot) };
      line.noteReported(slot);
    }
    const first = this.#first;
    const { slot, reported } = first;
    if (reported !== null) {
      if (!(await this.#isFinal(slot))) return null;
      first.reported = null;
      return { kind: "fill", ...reported };
    }
    const blockhash = await this.#checks.blockhash(slot);
    this.#owesFirst = false;
    this.#first = null;
    line.noteFinal(slot);
    this.#standAt(slot);
    return { kind: "filled", watermark: { slot, blockhash } };
  }

  async #isFinal(slot: Slot): Promise<boolean> {
    const { root } = this.#state.line;
    if (root < slot || root === this.#checkedRoot) return false;
    this.#checkedRoot = root;
    const found = await this.#checks.finalAmong([slot], root);
    if (found !== null && found.final === null && found.died !== null)
      this.#state.rollBack(`slot ${found.died} was confirmed and did not become final`);
    return found?.final === slot;
  }

  #standAt(slot: Slot): void {
    const { line } = this.#state;
    line.reported = Math.max(line.reported, slot);
    this.#state.finalSlot = slot;
    this.retryRoot();
  }

  #nextSlot(): ConfirmedEvent | null {
    const { line, pending } = this.#state;
    if (this.#options.isHeld()) return null;
    const slot = line.next(pending, this.#state.ceiling());
    if (slot === null) return null;
    const parent = line.reported;
    const reported = pending.take(slot);
    line.noteReported(slot);
    if (slot <= line.root) this.retryRoot();
    return { kind: "slot", slot, parent, ...reported };
  }

  /** Beside the telling: some nodes take seconds for it. */
  async #findFinal(): Promise<void> {
    const { line, bell } = this.#state;
    const { root } = line;
    if (root === this.#checkedRoot) return;
    this.#checkedRoot = root;
    const question = {};
    this.#question = question;
    const found = await this.#checks.finalAmong(line.finalizable(), root);
    // What was reported then may have been rolled back since.
    if (this.#question !== question) return;
    this.#question = null;
    if (found === null) return;
    if (found.final !== null) void this.#askHash(found.final);
    else if (found.died !== null)
      this.#state.rollBack(`slot ${found.died} was confirmed and did not become final`);
    bell.ring();
  }

  /** Of the last of several only, and beside the telling: it says at the next start that the chain is the same. */
  async #askHash(slot: Slot): Promise<void> {
    const final: FinalSlot = { slot, blockhash: undefined };
    this.#final = final;
    final.blockhash = await this.#checks.blockhash(slot);
    this.#state.bell.ring();
  }

  #nextFinal(): ConfirmedEvent | null {
    if (this.#final === null) return null;
    const { slot, blockhash } = this.#final;
    if (blockhash === undefined) return null;
    this.#final = null;
    this.retryRoot();
    this.#state.finalSlot = slot;
    this.#state.line.noteFinal(slot);
    return { kind: "finalized", slot, blockhash };
  }

  #rewind(): ConfirmedEvent | null {
    // What a session still has under way must not mix with what is read anew.
    if (this.#options.isBusy()) return null;
    const state = this.#state;
    this.#final = null;
    this.#question = null;
    this.#first = null;
    state.pending.clear();
    state.line.rewind(state.finalSlot);
    state.mustRemember = true;
    state.mustRewind = false;
    state.bell.ring();
    // Nothing was emitted that could be rolled back.
    return this.#owesFirst ? null : { kind: "rewind" };
  }
}
