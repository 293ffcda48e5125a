/** Something that must not last for ever. The three fields belong to `Deadlines`. */
export interface Watched {
  deadlineTick: number;
  earlier: Watched | null;
  later: Watched | null;
  /** Called at every tick while watched: notices what has no event of its own, such as a caller that left. */
  onTick(): void;
  /** Called once when the time is over; the thing is no longer watched then. */
  onDeadline(): void;
}

const TICK_MS = 100;

/** A timer of a busy process is late; so much is made up at once. A longer stall is our own, and callers do not pay for it. */
const TICKS_LATE_MAX = 5;

/** The deadline tick of what is not watched. */
export const NOT_WATCHED = 0;

/**
 * One timer for all requests, coarse on purpose, and a chain through the requests themselves: a timer per request, or
 * a place in a set, costs more than most requests' own work. A deadline is met at most two ticks late, never early.
 */
export class Deadlines {
  #newest: Watched | null = null;
  #tick = 0;
  #tickedAt = 0;
  #timer: NodeJS.Timeout | null = null;

  /** Sets the deadline, again when `thing` is watched already. */
  watch(thing: Watched, timeoutMs: number): void {
    const isNew = thing.deadlineTick === NOT_WATCHED;
    if (this.#timer === null) {
      this.#tickedAt = performance.now();
      this.#timer = setInterval(() => this.#onTick(), TICK_MS);
    }
    thing.deadlineTick =
      this.#tick + this.#ticksSince(performance.now()) + Math.ceil(timeoutMs / TICK_MS) + 1;
    if (!isNew) return;
    thing.earlier = this.#newest;
    if (this.#newest !== null) this.#newest.later = thing;
    this.#newest = thing;
  }

  release(thing: Watched): void {
    if (thing.deadlineTick === NOT_WATCHED) return;
    thing.deadlineTick = NOT_WATCHED;
    if (thing.earlier !== null) thing.earlier.later = thing.later;
    if (thing.later !== null) thing.later.earlier = thing.earlier;
    else this.#newest = thing.earlier;
    thing.earlier = null;
    thing.later = null;
  }

  #ticksSince(now: number): number {
    return Math.min(TICKS_LATE_MAX, Math.max(0, Math.floor((now - this.#tickedAt) / TICK_MS)));
  }

  #onTick(): void {
    const now = performance.now();
    const ticks = this.#ticksSince(now);
    this.#tick += ticks;
    // The rest of a tick counts for the next one: a loop that comes round every 160 ms would lose a third.
    this.#tickedAt = ticks === TICKS_LATE_MAX ? now : this.#tickedAt + ticks * TICK_MS;
    for (let thing = this.#newest; thing !== null;) {
      // Taken first: what happens at a deadline may release this one, but none that is earlier.
      const { earlier } = thing;
      if (thing.deadlineTick > this.#tick) {
        thing.onTick();
      } else {
        this.release(thing);
        thing.onDeadline();
      }
      thing = earlier;
    }
    if (this.#newest === null && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }
}
