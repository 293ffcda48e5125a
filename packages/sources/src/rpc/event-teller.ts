import type { ConfirmedEvent, Slot } from "@lamplight/core";
import type { ChainChecks } from "./chain-checks.ts";
import type { FollowState } from "./follow-state.ts";
import { fillBatchMax } from "./limits.ts";

export interface TellerOptions {
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

/** Decides what is told on next. */
export class EventTeller {
  readonly #state: FollowState;
  readonly #checks: ChainChecks;
  readonly #options: TellerOptions;
  #final: FinalSlot | null = null;
  /** The root that was looked at last, and could not be settled then. */
  #checkedRoot: Slot | null = null;

  constructor(state: FollowState, checks: ChainChecks, options: TellerOptions) {
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
    if (this.#final === null) await this.#findFinal();
    return this.#nextFinal() ?? this.#nextSlot();
  }

  async #nextOfFilling(): Promise<ConfirmedEvent | null> {
    const state = this.#state;
    const { filling, filledAt: slot } = state;
    if (filling.size > 0) {
      const told = filling.takeSome(fillBatchMax);
      state.bell.ring();
      return { kind: "fill", ...told };
    }
    if (slot === null) return null;
    // What a store held before stays as of its watermark: the next slot brings all of it to one again.
    const watermark = state.watermark ?? {
      slot,
      blockhash: await this.#checks.blockhash(slot),
    };
    state.filledAt = null;
    state.line.told = watermark.slot;
    state.finalSlot = watermark.slot;
    state.isFilled = true;
    state.bell.ring();
    return { kind: "filled", watermark };
  }

  #nextSlot(): ConfirmedEvent | null {
    const { line, pending } = this.#state;
    if (this.#options.isHeld()) return null;
    const slot = line.next(pending, this.#state.ceiling());
    if (slot === null) return null;
    const parent = line.told;
    const told = pending.take(slot);
    line.noteTold(slot);
    if (slot <= line.root) this.retryRoot();
    return { kind: "slot", slot, parent, ...told };
  }

  async #findFinal(): Promise<void> {
    const { line } = this.#state;
    const { root } = line;
    if (root === this.#checkedRoot) return;
    this.#checkedRoot = root;
    const found = await this.#checks.finalAmong(line.finalizable(), root);
    if (found === null) return;
    if (found.final !== null) void this.#askHash(found.final);
    else if (found.died !== null)
      this.#state.takeBack(`slot ${found.died} was confirmed and did not become final`);
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
    state.pending.clear();
    state.line.rewind(state.finalSlot);
    state.mustRemember = true;
    state.mustRewind = false;
    state.bell.ring();
    return { kind: "rewind" };
  }
}
