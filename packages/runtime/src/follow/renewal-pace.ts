/** Renewals in a row without a wait. The next stream replays most gaps. */
const PROMPT_RENEWALS_MAX = 2;
const WAIT_MS_FIRST = 15_000;
const WAIT_MS_MAX = 30 * 60_000;
/** Renewals to count after a replay without the missing slot: the wait starts at a minute. */
const LOST_RENEWALS_MIN = 4;
/** After so long without a renewal, the next ones need no wait again. */
const QUIET_MS_MIN = 10 * 60_000;

/** Decides when a stream may be restarted for a replay: less and less often, for any missing slots. */
export class RenewalPace {
  readonly #nowMs: () => number;
  #renewals = 0;
  #lastMs = -Infinity;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Whether a renewal may be made now. If so, it is counted.
   *
   * @param isLost - whether a replay is not expected to contain the missing slot
   */
  mayRenew(isLost: boolean): boolean {
    const nowMs = this.#nowMs();
    const quietMs = Math.max(QUIET_MS_MIN, 2 * this.#waitMs());
    if (nowMs - this.#lastMs > quietMs) this.#renewals = 0;
    if (isLost && this.#renewals < LOST_RENEWALS_MIN) {
      this.#renewals = LOST_RENEWALS_MIN;
      this.#lastMs = nowMs;
    }
    if (nowMs - this.#lastMs < this.#waitMs()) return false;
    this.#renewals += 1;
    this.#lastMs = nowMs;
    return true;
  }

  #waitMs(): number {
    const doublings = this.#renewals - PROMPT_RENEWALS_MAX;
    return doublings < 0 ? 0 : Math.min(WAIT_MS_FIRST * 2 ** doublings, WAIT_MS_MAX);
  }
}
