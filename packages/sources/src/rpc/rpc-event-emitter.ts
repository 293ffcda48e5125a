import type { ChainEvent, FillEvent, Slot } from "@lamplight/core";
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

/** First slot of a store that was empty. Its accounts were read at many slots; from this one on they are of one slot. */
interface FirstSlot {
  readonly slot: Slot;
  /** Null once it was reported. */
  reported: ReturnType<PendingSlots["take"]> | null;
}

/** First the filling of a store that lacks something, then the chain. */
export type RpcEvent = FillEvent | ChainEvent;

/** Decides which event is emitted next. */
export class RpcEventEmitter {
  readonly #state: FollowState;
  readonly #checks: ChainChecks;
  readonly #options: EmitterOptions;
  #final: FinalSlot | null = null;
  /** Identifies the question which slots are final; null = none is pending. An answer to an older question is ignored. */
  #question: object | null = null;
  /** Whether an empty store was filled and its first slot is still to be emitted. */
  #owesFirst = false;
  #first: FirstSlot | null = null;
  /** Root whose check gave no result; it is not checked again before another root or `retryRoot`. */
  #checkedRoot: Slot | null = null;

  constructor(state: FollowState, checks: ChainChecks, options: EmitterOptions) {
    this.#state = state;
    this.#checks = checks;
    this.#options = options;
  }

  /** A root whose check gave no result is checked again. */
  retryRoot(): void {
    this.#checkedRoot = null;
  }

  /** Null when there is nothing to emit for now. */
  async next(): Promise<RpcEvent | null> {
    if (this.#state.mustRollBack) return this.#rollBack();
    if (!this.#state.isFilled) return this.#nextOfFilling();
    if (this.#owesFirst) return this.#nextOfFirst();
    if (this.#final === null && this.#question === null) void this.#findFinal();
    return this.#nextFinal() ?? this.#nextSlot();
  }

  async #nextOfFilling(): Promise<RpcEvent | null> {
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
    // What the store held before is of its watermark. The next finalized slot brings everything to one slot.
    this.#standAt(watermark?.slot ?? slot);
    return watermark === null ? null : { kind: "filled", watermark };
  }

  /** An empty store was filled from many slots. Only a finalized slot that is newer than all of them makes it consistent. */
  async #nextOfFirst(): Promise<RpcEvent | null> {
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

  #nextSlot(): ChainEvent | null {
    const { line, pending } = this.#state;
    if (this.#options.isHeld()) return null;
    const slot = line.next(pending, this.#state.ceiling());
    if (slot === null) return null;
    const parent = line.reported;
    const reported = pending.take(slot);
    line.noteReported(slot);
    if (slot <= line.root) this.retryRoot();
    return { kind: "confirmed", slot, parent, ...reported };
  }

  /** In parallel with emitting: some nodes take seconds to answer. */
  async #findFinal(): Promise<void> {
    const { line, bell } = this.#state;
    const { root } = line;
    if (root === this.#checkedRoot) return;
    this.#checkedRoot = root;
    const question = {};
    this.#question = question;
    const found = await this.#checks.finalAmong(line.finalizable(), root);
    // The slots may have been rolled back since.
    if (this.#question !== question) return;
    this.#question = null;
    if (found === null) return;
    if (found.final !== null) void this.#askHash(found.final);
    else if (found.died !== null)
      this.#state.rollBack(`slot ${found.died} was confirmed and did not become final`);
    bell.ring();
  }

  /** Only for the last of several slots, and in parallel with emitting. At the next start it identifies the chain. */
  async #askHash(slot: Slot): Promise<void> {
    const final: FinalSlot = { slot, blockhash: undefined };
    this.#final = final;
    final.blockhash = await this.#checks.blockhash(slot);
    this.#state.bell.ring();
  }

  #nextFinal(): ChainEvent | null {
    if (this.#final === null) return null;
    const { slot, blockhash } = this.#final;
    if (blockhash === undefined) return null;
    this.#final = null;
    this.retryRoot();
    this.#state.finalSlot = slot;
    this.#state.line.noteFinal(slot);
    return { kind: "slot", slot, parent: null, status: "finalized", blockhash };
  }

  #rollBack(): ChainEvent | null {
    // A running session must not add to what is read again.
    if (this.#options.isBusy()) return null;
    const state = this.#state;
    this.#final = null;
    this.#question = null;
    this.#first = null;
    state.pending.clear();
    state.line.rollBackTo(state.finalSlot);
    state.mustRemember = true;
    state.mustRollBack = false;
    state.bell.ring();
    // Nothing was emitted that could be rolled back.
    return this.#owesFirst ? null : { kind: "rollback" };
  }
}
