import type { GetLargestAccountsResult } from "@lamplight/contract";
import type { Slot } from "../domain/address.ts";
import type { JsonText } from "../json/json-text.ts";

export type LargestFilter = "all" | "circulating" | "nonCirculating";

type AnswerText = JsonText<GetLargestAccountsResult>;

interface CachedAnswer {
  readonly text: AnswerText;
  readonly slot: Slot;
  readonly atMs: number;
}

/**
 * The spec's cache of getLargestAccounts: by filter only, regardless of the commitment, as in Agave. A cached answer keeps
 * the slot it was computed at. A clock that steps back counts as expiry.
 */
export class LargestAccountsCache {
  readonly #lifeMs: number;
  readonly #nowMs: () => number;
  readonly #answers = new Map<LargestFilter, CachedAnswer>();

  constructor(lifeSeconds: number, nowMs: () => number = Date.now) {
    this.#lifeMs = lifeSeconds * 1000;
    this.#nowMs = nowMs;
  }

  find(filter: LargestFilter): { readonly text: AnswerText; readonly slot: Slot } | null {
    const answer = this.#answers.get(filter);
    if (answer === undefined) return null;
    const ageMs = this.#nowMs() - answer.atMs;
    return ageMs >= 0 && ageMs < this.#lifeMs ? answer : null;
  }

  keep(filter: LargestFilter, text: AnswerText, slot: Slot): void {
    if (this.#lifeMs > 0) this.#answers.set(filter, { text, slot, atMs: this.#nowMs() });
  }
}
