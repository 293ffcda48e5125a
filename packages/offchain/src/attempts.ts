import { setTimeout } from "node:timers/promises";
import type { OffchainRow } from "@lamplight/core";

/** Attempts that run at the same time. */
export class Attempts {
  readonly #run: (row: OffchainRow) => Promise<void>;
  #running = 0;
  #ended = Promise.withResolvers<void>();
  /** The first error that no outcome explains; null = none. */
  error: unknown = null;

  constructor(run: (row: OffchainRow) => Promise<void>) {
    this.#run = run;
  }

  get running(): number {
    return this.#running;
  }

  start(row: OffchainRow): void {
    this.#running += 1;
    void this.#run(row)
      .catch((error: unknown) => {
        this.error ??= error;
      })
      .finally(() => {
        this.#running -= 1;
        this.#ended.resolve();
      });
  }

  /** Resolves when one has ended since the last call, or after the time. */
  async ended(waitMs: number): Promise<void> {
    const timer = new AbortController();
    const { promise } = this.#ended;
    await Promise.race([
      promise,
      setTimeout(waitMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    this.#ended = Promise.withResolvers<void>();
  }
}
