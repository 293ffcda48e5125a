/** Something that must not last for ever. */
export interface Watched {
  /** Owned by `Deadlines`. */
  deadlineTick: number;
  /** Called at every tick while watched: notices what has no event of its own, such as a caller that left. */
  onTick(): void;
  /** Called once when the time is over; the thing is no longer watched then. */
  onDeadline(): void;
}

const TICK_MS = 100;

/**
 * One timer for all requests, coarse on purpose: a timer per request costs more than most requests' own work.
 * A deadline is met at most two ticks late, never early.
 */
export class Deadlines {
  readonly #watched = new Set<Watched>();
  #tick = 0;
  #timer: NodeJS.Timeout | null = null;

  watch(thing: Watched, timeoutMs: number): void {
    thing.deadlineTick = this.#tick + Math.ceil(timeoutMs / TICK_MS) + 1;
    this.#watched.add(thing);
    this.#timer ??= setInterval(() => this.#onTick(), TICK_MS);
  }

  release(thing: Watched): void {
    this.#watched.delete(thing);
  }

  #onTick(): void {
    this.#tick++;
    for (const thing of this.#watched) {
      if (thing.deadlineTick > this.#tick) {
        thing.onTick();
        continue;
      }
      this.#watched.delete(thing);
      thing.onDeadline();
    }
    if (this.#watched.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }
}
