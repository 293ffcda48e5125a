import type { ConfirmedEvent } from "@lamplight/core";
import type { ForkOverlay } from "../overlay/fork-overlay.ts";

/** What is left of the events once the store is filled. */
export type ConfirmedSlotEvent = Exclude<ConfirmedEvent, { kind: "fill" | "filled" }>;

/**
 * Turns a line of confirmed slots into slots of the overlay: each is confirmed the moment it can be read, so that
 * processed and confirmed are one; what is final goes into the store.
 */
export class ConfirmedFollower {
  readonly #overlay: ForkOverlay;

  constructor(overlay: ForkOverlay) {
    this.#overlay = overlay;
  }

  /** Takes one event; resolves when what follows from it is done. One call at a time. */
  async take(event: ConfirmedSlotEvent): Promise<void> {
    switch (event.kind) {
      case "slot":
        await this.#overlay.add({ ...event, blockhash: null });
        this.#overlay.confirm(event.slot);
        return;
      case "finalized":
        return this.#overlay.root(event.slot, event.blockhash);
      case "rewind":
        return this.#overlay.reset();
      default:
        return event satisfies never;
    }
  }
}
