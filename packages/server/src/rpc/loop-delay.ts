import type { Limits } from "../limits.ts";
import { ownTimeMs } from "./own-time.ts";

const TICK_MS = 50;

/** Measures how long the event loop takes for one round, which is how long a request waits before it is even read. */
export class LoopDelay {
  readonly #limits: Limits;
  #timer: NodeJS.Timeout | null = null;
  #tickedAtMs = 0;
  #delayMs = 0;
  /** When rounds began to take longer than `loopDelayMs`; null while they do not. */
  #slowSinceMs: number | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Milliseconds by which rounds are late, where they have been for `overloadAfterMs`; otherwise 0. */
  get standingMs(): number {
    if (this.#slowSinceMs === null) return 0;
    return this.#tickedAtMs - this.#slowSinceMs >= this.#limits.overloadAfterMs ? this.#delayMs : 0;
  }

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
    this.#delayMs = nowMs - this.#tickedAtMs - TICK_MS;
    if (this.#delayMs <= this.#limits.loopDelayMs) this.#slowSinceMs = null;
    else this.#slowSinceMs ??= this.#tickedAtMs;
    this.#tickedAtMs = nowMs;
  }
}
