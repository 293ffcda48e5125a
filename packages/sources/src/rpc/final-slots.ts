import type { Slot, Watermark } from "@lamplight/core";
import type { ChainChecks } from "./chain-checks.ts";
import type { SlotLine } from "./slot-line.ts";

export interface FinalSlotsOptions {
  readonly line: SlotLine;
  readonly checks: ChainChecks;
  /** The node's finalized slot; 0 = not known. */
  readonly finalizedSlot: () => Slot;
  /** Called for an emitted slot that is not part of the finalized chain. */
  readonly onDropped: (slot: Slot) => void;
  /** Called when `take` has a new result. */
  readonly onFound: () => void;
}

/**
 * Finds out which emitted slots are finalized, and the hash of the newest, which identifies the chain at the next start.
 * It asks in parallel with emitting, because some nodes take seconds to answer.
 */
export class FinalSlots {
  readonly #options: FinalSlotsOptions;
  #isAsking = false;
  #found: Watermark | null = null;
  /** The last question. It is not repeated before `retry`. */
  #asked: { readonly finalized: Slot; readonly newest: Slot } | null = null;

  constructor(options: FinalSlotsOptions) {
    this.#options = options;
  }

  /** Checks slots again that could not be checked. */
  retry(): void {
    this.#asked = null;
  }

  /** The newest slot that became finalized since the last call; null while none is known. */
  take(): Watermark | null {
    const found = this.#found;
    if (found !== null) {
      this.#found = null;
      this.retry();
      this.#options.line.noteFinal(found.slot);
    } else if (!this.#isAsking) this.#ask();
    return found;
  }

  #ask(): void {
    const { line, finalizedSlot } = this.#options;
    const finalized = finalizedSlot();
    const slots = line.finalizable(finalized);
    const newest = slots.at(-1);
    if (newest === undefined || (this.#asked?.finalized === finalized && this.#asked.newest === newest))
      return;
    this.#asked = { finalized, newest };
    this.#isAsking = true;
    void this.#answer(slots, finalized);
  }

  async #answer(slots: readonly Slot[], finalized: Slot): Promise<void> {
    this.#found = await this.#find(slots, finalized);
    this.#isAsking = false;
    this.#options.onFound();
  }

  async #find(slots: readonly Slot[], finalized: Slot): Promise<Watermark | null> {
    const { checks, onDropped } = this.#options;
    const found = await checks.finalAmong(slots, finalized);
    if (found === null) return null;
    const { final: slot, died } = found;
    if (slot !== null) return { slot, blockhash: await checks.blockhash(slot) };
    if (died !== null) onDropped(died);
    return null;
  }
}
