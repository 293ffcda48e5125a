import type { Limits } from "../limits.ts";

/** Addresses remembered; beyond it the one whose first wrong key is oldest is forgotten. */
const ADDRESSES_MAX = 10_000;
/** After so long without a wrong key, the count of an address starts from 0. */
const FORGET_MS = 60_000;
/** A check that would have to wait longer is refused. */
const WAIT_MS_MAX = 2000;
/** Time between two checks of a slowed address. */
const DELAY_MS = 200;

interface Guesses {
  wrong: number;
  lastMs: number;
  /** Time from which the next check may be made. */
  freeAtMs: number;
}

/** Slows those who try keys: after some wrong ones, the checks of an address are made one after another. */
export class KeyGuesses {
  readonly #wrongMax: number;
  readonly #delayMs: number;
  readonly #byAddress = new Map<string, Guesses>();

  /** @param workers - which check the keys of the same callers, so each as much less and as much more slowly */
  constructor({ wrongKeys }: Pick<Limits, "wrongKeys">, workers: number) {
    this.#wrongMax = Math.max(1, Math.floor(wrongKeys / workers));
    this.#delayMs = workers * DELAY_MS;
  }

  /** Milliseconds that a check for this address has to wait; null = it is refused. Takes the place in the order. */
  reserve(address: string): number | null {
    const guesses = this.#byAddress.get(address);
    if (guesses === undefined || guesses.wrong < this.#wrongMax) return 0;
    const nowMs = performance.now();
    if (nowMs - guesses.lastMs > FORGET_MS) {
      this.#byAddress.delete(address);
      return 0;
    }
    const startMs = Math.max(nowMs, guesses.freeAtMs);
    if (startMs - nowMs > WAIT_MS_MAX) return null;
    guesses.freeAtMs = startMs + this.#delayMs;
    return startMs - nowMs;
  }

  /** Notes a wrong key; true when this address is slowed from now on. */
  onWrong(address: string): boolean {
    const nowMs = performance.now();
    let guesses = this.#byAddress.get(address);
    if (guesses === undefined || nowMs - guesses.lastMs > FORGET_MS) {
      this.#byAddress.delete(address);
      guesses = { wrong: 0, lastMs: nowMs, freeAtMs: 0 };
      this.#byAddress.set(address, guesses);
      if (this.#byAddress.size > ADDRESSES_MAX) this.#byAddress.delete(this.#byAddress.keys().next().value!);
    }
    guesses.wrong++;
    guesses.lastMs = nowMs;
    if (guesses.wrong < this.#wrongMax) return false;
    guesses.freeAtMs = Math.max(guesses.freeAtMs, nowMs + this.#delayMs);
    return guesses.wrong === this.#wrongMax;
  }
}
