const FIRST_MS = 100;
const LONGEST_MS = 10_000;
/** Anyone who lived so long did not fail at the start: the next attempt comes at once again. */
const SOUND_MS = 60_000;

/** Decides how long to wait before what ended is started again: twice as long each time it ends soon after. */
export class BackOff {
  #waitMs = FIRST_MS;

  /** @param livedMs - since it was started */
  next(livedMs: number): number {
    if (livedMs >= SOUND_MS) this.#waitMs = FIRST_MS;
    const waitMs = this.#waitMs;
    this.#waitMs = Math.min(LONGEST_MS, 2 * waitMs);
    return waitMs;
  }
}
