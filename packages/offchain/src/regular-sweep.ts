/** Milliseconds between the end of a sweep and the start of the next one. */
const PAUSE_MS = 24 * 3_600_000;

/** A sweep that runs once a day, next to other work. One that fails is due again at once. */
export class RegularSweep {
  readonly #sweep: (signal: AbortSignal) => Promise<unknown>;
  #running: Promise<void> | null = null;
  #nextMs = 0;
  #error: unknown = null;
  #stopping = new AbortController();

  constructor(sweep: (signal: AbortSignal) => Promise<unknown>) {
    this.#sweep = sweep;
  }

  /**
   * Starts a sweep if one is due and none is running.
   *
   * @throws what the last one threw, once
   */
  startWhenDue(): void {
    this.assertDone();
    if (this.#running !== null || performance.now() < this.#nextMs) return;
    this.#stopping = new AbortController();
    this.#running = this.#run(this.#stopping.signal);
  }

  /** Ends a sweep that is running, which is then due again, and waits for it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** @throws as `startWhenDue` */
  assertDone(): void {
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error;
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      await this.#sweep(signal);
      if (!signal.aborted) this.#nextMs = performance.now() + PAUSE_MS;
    } catch (error) {
      this.#error = error;
    } finally {
      this.#running = null;
    }
  }
}
