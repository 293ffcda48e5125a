import type { Slot } from "@lamplight/core";
import type { YellowstoneUpdate } from "./decode-update.ts";

/**
 * Slots whose first writes one stream may have missed. Servers replay complete slots only. So what the running slot wrote
 * before the stream started is reported neither by the replay nor after it. Once such a slot has ended, the server has all
 * of it, and the same stream can ask for it.
 */
export class DoubtfulSlots {
  readonly #created = new Set<Slot>();
  readonly #asked = new Set<Slot>();
  readonly #ended = new Set<Slot>();

  get areWaiting(): boolean {
    return this.#ended.size > 0;
  }

  note({ slot, status }: Extract<YellowstoneUpdate, { kind: "slot" }>): void {
    if (status === "createdBank") this.#created.add(slot);
    if (status === "processed" && !this.#created.has(slot) && !this.#asked.has(slot)) this.#ended.add(slot);
  }

  /** The newest of those that have ended, up to `count` slots below it; each is given once. */
  take(count: number): readonly Slot[] {
    const ended = [...this.#ended].toSorted((a, b) => a - b);
    this.#ended.clear();
    for (const slot of ended) this.#asked.add(slot);
    const newest = ended.at(-1) ?? 0;
    return ended.filter((slot) => slot > newest - count);
  }
}
