import type { CommitReceipt, IndexStore, NextProgress, Slot, UnfinalizedChange } from "@lamplight/core";
import type { Delta } from "../engine/delta.ts";
import { type AssetSample, sampleAssets } from "../engine/sample-assets.ts";
import type { DerivationRules } from "../rules/rules.ts";
import { type ActiveRules, type DerivationOptions, openRules } from "./active-rules.ts";
import { ruleBookOf } from "./derivations.ts";
import { fillNext, finishNext } from "./fill-next.ts";

/**
 * The rules that derive the assets of a store that is followed, and their switch to those of the next version: the next
 * set is filled page by page, and the commit of a finalized slot then makes it the one that answers.
 */
export class RulesSwitch {
  readonly #store: IndexStore;
  #rules: ActiveRules;
  /** Null = no next set is derived. */
  #progress: NextProgress | null;
  /** A commit of this slot makes the next set the one that answers, and may have been made. Null = none was tried. */
  #slot: Slot | null = null;

  private constructor(store: IndexStore, rules: ActiveRules, progress: NextProgress | null) {
    this.#store = store;
    this.#rules = rules;
    this.#progress = progress;
  }

  /** @throws LamplightError `STORE__OTHER_RULES` */
  static async open(store: IndexStore, options: DerivationOptions): Promise<RulesSwitch> {
    const rules = await openRules(store, options);
    const progress = rules.next === null ? null : (await store.readDerivation()).next;
    return new RulesSwitch(store, rules, progress);
  }

  get rules(): ActiveRules {
    return this.#rules;
  }

  get progress(): NextProgress | null {
    return this.#progress;
  }

  /** The rules of the next set once it is filled; null until then, and after the switch. */
  get due(): DerivationRules | null {
    return this.#progress?.isFilled === true ? this.#rules.next : null;
  }

  /** Derives one more page of the next set. */
  async fill(): Promise<NextProgress | null> {
    const { next } = this.#rules;
    if (next !== null) this.#progress = await fillNext(this.#store, next);
    return this.#progress;
  }

  /**
   * Compares some assets of the store with what the rules of its rows derive from their accounts.
   *
   * @returns null in a store that cannot list them, and while it is not known whether a switch was made
   */
  async sample(ids: number): Promise<AssetSample | null> {
    const { nextSet } = this.#store;
    if (nextSet === undefined || this.#slot !== null) return null;
    return sampleAssets(this.#store, nextSet, this.#rules.rules, ids);
  }

  /**
   * Commits finalized slots, and makes the next set the one that answers. `end` follows once the commit is known.
   *
   * @param shown - the published slots above, by the next rules
   */
  commit(
    next: DerivationRules,
    delta: Delta,
    slot: Slot,
    shown: UnfinalizedChange | undefined,
  ): Promise<CommitReceipt> {
    this.#slot ??= slot;
    return finishNext(this.#store, next, delta, shown);
  }

  /** Whether rows of a finalized slot are those of the next set, although `end` was not called yet. */
  isCommittedAt(finalizedSlot: Slot): boolean {
    return this.#slot !== null && finalizedSlot >= this.#slot;
  }

  /** From here on, the next rules are the only ones. */
  end(next: DerivationRules): void {
    this.#rules = { rules: ruleBookOf(next), next: null };
    this.#progress = null;
    this.#slot = null;
  }
}
