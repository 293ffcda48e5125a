import { STANDSTILL_STEP_MS_MAX } from "./limits.ts";

/**
 * Measures the time for which slots have been added while none was finalized. Time in which no slot arrives does not
 * count: then the source is silent, and finality does not stand still.
 */
export class Standstill {
  readonly #now: () => number;
  #ms = 0;
  #lastMs: number;

  /** @param now - a clock in milliseconds that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#lastMs = now();
  }

  get seconds(): number {
    return this.#ms / 1000;
  }

  noteAdded(): void {
    const now = this.#now();
    this.#ms += Math.min(now - this.#lastMs, STANDSTILL_STEP_MS_MAX);
    this.#lastMs = now;
  }

  noteFinalized(): void {
    this.#ms = 0;
    this.#lastMs = this.#now();
  }
}
