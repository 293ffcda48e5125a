const TICK_MS = 50;

/** Processor time after which calls that have had to wait without a break count as overload. */
export const OVERLOAD_AFTER_MS = 250;

/** Processor time of one round of the event loop; where all rounds take longer, calls are refused, cheap ones at twice the delay. */
export const LOOP_DELAY_MS = 200;

/** Measures how long the event loop takes for one round, which is how long a request waits before it is even read. */
export class LoopDelay {
  #timer: NodeJS.Timeout | null = null;
  /** Milliseconds by which rounds are late, where they have been for `OVERLOAD_AFTER_MS`; otherwise 0. */
  standingMs = 0;
  #tickedAtMs = 0;
  /** When rounds began to take longer than `LOOP_DELAY_MS`; null while they do not. */
  #slowSinceMs: number | null = null;

  start(): void {
    this.#tickedAtMs = ownTimeMs();
    this.#timer = setInterval(() => this.#onTick(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #onTick(): void {
    const nowMs = ownTimeMs();
    const delayMs = nowMs - this.#tickedAtMs - TICK_MS;
    if (delayMs <= LOOP_DELAY_MS) this.#slowSinceMs = null;
    else this.#slowSinceMs ??= this.#tickedAtMs;
    this.#tickedAtMs = nowMs;
    const isStanding = this.#slowSinceMs !== null && nowMs - this.#slowSinceMs >= OVERLOAD_AFTER_MS;
    this.standingMs = isStanding ? delayMs : 0;
  }
}

/**
 * Processor time of this thread in milliseconds. Overload is measured in it: a machine that is busy with other processes
 * makes every call slower, and refusing calls would not help. Node 22 lacks the function; there it is the time of day.
 */
export const ownTimeMs = (): number => {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
