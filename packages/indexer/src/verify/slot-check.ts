import type { AccountState, StoreRows, Watermark } from "@lamplight/core";

/**
 * Whether everything is of the store's slot or older. An account from the future would be kept against every version
 * that comes.
 */
export class SlotCheck {
  readonly #max: number;
  #accounts = 0;
  #seen = 0;

  /** @param watermark - null = nothing was finished yet, and any slot will do */
  constructor(watermark: Watermark | null) {
    this.#max = watermark?.slot ?? Infinity;
  }

  addAccounts(states: readonly AccountState[]): void {
    for (const { current, lastLife } of states)
      if (this.#isWrong(current.slot) || (lastLife !== null && this.#isWrong(lastLife.slot)))
        this.#accounts += 1;
  }

  addSeen(rows: readonly StoreRows["assetsSeen"][]): void {
    for (const { slot } of rows) if (this.#isWrong(slot)) this.#seen += 1;
  }

  problems(): readonly string[] {
    const above = `a slot above the store's, which is ${this.#max}: damaged, or of a load that was never finished`;
    return [
      ...(this.#accounts === 0 ? [] : [`${this.#accounts} accounts have ${above}`]),
      ...(this.#seen === 0 ? [] : [`${this.#seen} assets were first seen at ${above}`]),
    ];
  }

  #isWrong(slot: number): boolean {
    return slot < 0 || slot > this.#max;
  }
}
