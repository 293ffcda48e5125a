import type { Commitment } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

/** A listener of `chain.on("slot")` gets these slots. */
export interface SlotEvent {
  /** The new slot. After `restore`: the newest slot of the snapshot. */
  readonly slot: number;
  /** Newest confirmed slot; null before the first. */
  readonly confirmedSlot: number | null;
  /** Newest finalized slot; null before the first. */
  readonly finalizedSlot: number | null;
}

export type SlotListener = (event: SlotEvent) => void;

/** The event that listeners get of a chain as it is now. */
export const slotEventOf = (chain: { slotOf(commitment: Commitment): number }): SlotEvent => {
  const slotOf = (commitment: Commitment): number | null => {
    const slot = chain.slotOf(commitment);
    return slot < 0 ? null : slot;
  };
  return {
    slot: chain.slotOf("processed"),
    confirmedSlot: slotOf("confirmed"),
    finalizedSlot: slotOf("finalized"),
  };
};

/** The functions that are called for each new slot. */
export class SlotListeners {
  /** One entry for each call of `add`: the same function may be there twice. */
  readonly #entries = new Set<{ readonly listener: SlotListener }>();

  /**
   * @returns a function that removes it
   * @throws LamplightError `CHAIN__INVALID_INPUT`
   */
  add(event: "slot", listener: SlotListener): () => void {
    if (event !== "slot")
      throw new LamplightError("CHAIN__INVALID_INPUT", { property: "event", reason: 'must be "slot"' });
    if (typeof listener !== "function")
      throw new LamplightError("CHAIN__INVALID_INPUT", {
        property: "listener",
        reason: "must be a function",
      });
    const entry = { listener };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Calls those that are there now. An error that one throws, or rejects with, is printed: the chain goes on. */
  emit(event: SlotEvent): void {
    const entries = [...this.#entries];
    for (const { listener } of entries) void call(listener, event);
  }
}

const call = async (listener: SlotListener, event: SlotEvent): Promise<void> => {
  try {
    await listener(event);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.emitWarning(`A listener of slot ${event.slot} threw: ${reason}`);
  }
};
