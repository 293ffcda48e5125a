/** Processor time that calls take in one turn of the event loop before everything else has its own. */
const TURN_MS = 3;

/**
 * Shares the event loop of this thread between calls, probes and sockets. A store in this process answers reads
 * synchronously; without turns, all waiting calls would run before the next socket is read.
 *
 * All calls share a turn. New calls start first, so that a cheap call does not wait for expensive ones. Then the call
 * that was interrupted first continues.
 */
export class Turns {
  readonly #fresh: (() => void)[] = [];
  readonly #interrupted: (() => void)[] = [];
  /** Replies among them. */
  #replies = 0;
  /** When the turn started; 0 = no call has used it yet. */
  #endsAt = 0;
  #isScheduled = false;
  readonly #now: () => number;

  /** @param now - milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether anything that can wait should wait. The first question of a turn starts its clock. */
  isUsedUp(): boolean {
    const now = this.#now();
    if (this.#endsAt !== 0) return now > this.#endsAt;
    this.#endsAt = now + TURN_MS;
    this.#schedule();
    return false;
  }

  /** Calls that wait for their next slice. */
  get interrupted(): number {
    return this.#interrupted.length - this.#replies;
  }

  /** Starts a new call in a later turn. */
  start(begin: () => void): void {
    this.#fresh.push(begin);
    this.#schedule();
  }

  /** Continues interrupted work in a later turn. */
  later(goOn: () => void): void {
    this.#interrupted.push(goOn);
    this.#schedule();
  }

  /** Resolves in a later turn. */
  next(): Promise<void> {
    return new Promise((resolve) => this.later(resolve));
  }

  /** Resolves in a later turn, for a reply that is being sent: it is no call any more. */
  nextOfReply(): Promise<void> {
    this.#replies++;
    return new Promise((resolve) =>
      this.later(() => {
        this.#replies--;
        resolve();
      }),
    );
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#isScheduled = false;
    this.#endsAt = 0;
    // Only the calls that wait now. Calls that they start wait for the next turn.
    for (let count = this.#fresh.length; count > 0 && !this.isUsedUp(); count--) this.#fresh.shift()!();
    const goOn = this.#interrupted.shift();
    if (goOn === undefined && this.#fresh.length === 0) return;
    this.#endsAt = this.#now() + TURN_MS;
    // Sockets and timers run first. Then the clock starts again for the calls that still wait.
    this.#schedule();
    goOn?.();
  };
}

/** The turns of this thread's event loop. */
export const turns = new Turns();
