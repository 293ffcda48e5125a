import {
  FOLLOWED_STALE_SECONDS_MAX,
  type NewestSlot,
  type Slot,
  SlotClock,
  type SlotRate,
} from "@lamplight/core";

/** The times at which slots last advanced, and how long they may stay the same. */
export interface FollowTimes {
  /** Newest slot that the source reported, over all connections. */
  readonly source: NewestSlot;
  /** Newest slot that can be read. */
  readonly read: NewestSlot;
  readonly maxStaleSeconds: number;
  /** The measured rate of the chain. */
  readonly slotsPerSecond: number;
}

export interface NewestSlots {
  /** Null before the first. */
  readonly source: Slot | null;
  readonly read: Slot | null;
}

const SAMPLE_MS = 1000;

/**
 * Notes once a second whether slots advanced, so that readiness knows how long the source was silent. Measures the rate
 * of the chain too.
 */
export class FollowClocks {
  readonly #read: () => NewestSlots;
  readonly #sourceClock: SlotClock;
  readonly #readClock: SlotClock;
  readonly #maxStaleSeconds: number;
  readonly #rate: SlotRate;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;

  /** @param maxStaleSeconds - null = the default */
  constructor(
    read: () => NewestSlots,
    maxStaleSeconds: number | null,
    rate: SlotRate,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#rate = rate;
    this.#now = now;
    this.#sourceClock = new SlotClock(now);
    this.#readClock = new SlotClock(now);
    this.#maxStaleSeconds = maxStaleSeconds ?? FOLLOWED_STALE_SECONDS_MAX;
    this.#timer = setInterval(() => this.#note(), SAMPLE_MS).unref();
  }

  get times(): FollowTimes {
    this.#note();
    const maxStaleSeconds = this.#maxStaleSeconds;
    const slotsPerSecond = this.#rate.perSecond;
    return {
      source: this.#sourceClock.newest,
      read: this.#readClock.newest,
      maxStaleSeconds,
      slotsPerSecond,
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #note(): void {
    const { source, read } = this.#read();
    this.#sourceClock.note(source);
    this.#rate.note(this.#sourceClock.newest.slot, this.#now());
    this.#readClock.note(read);
  }
}
