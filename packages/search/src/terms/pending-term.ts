import type { AssetChange } from "@lamplight/core";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { ViewState } from "../index-history.ts";
import type { SearchIndex } from "../search-index.ts";
import { isMetBy, type TermCriterion } from "./term-criterion.ts";

/**
 * A term that is being read at the state of a view, to be kept. Reading may take longer than an index remembers its
 * changes, so what they mean for this term is noted from the start.
 */
export class PendingTerm {
  readonly #index: SearchIndex;
  readonly #criterion: TermCriterion;
  readonly #met = OrdinalSet.empty();
  readonly #unmet = OrdinalSet.empty();
  readonly #isNoted: boolean;
  readonly #stopNoting: () => void;

  /** @param view - one that the index cannot answer makes no kept term */
  constructor(index: SearchIndex, criterion: TermCriterion, view: ViewState) {
    this.#index = index;
    this.#criterion = criterion;
    const changes = index.changesAfter(view);
    this.#isNoted = changes !== null;
    this.#note(changes ?? []);
    this.#stopNoting = this.#isNoted ? index.noteChanges((later) => this.#note(later)) : () => {};
  }

  /** Keeps its members, which were read from the view, brought to the state of the index. */
  keep(members: OrdinalSet): void {
    if (!this.#isNoted || this.#index.findTerm(this.#criterion) !== null) return;
    for (const ordinal of this.#met.toArray()) members.add(ordinal);
    for (const ordinal of this.#unmet.toArray()) members.remove(ordinal);
    this.#index.promote(this.#criterion, members);
  }

  /** Always called, also where it could not be read. */
  end(): void {
    this.#stopNoting();
  }

  #note(changes: readonly AssetChange[]): void {
    for (const { ordinal, facts } of changes) {
      const isMet = facts !== null && isMetBy(this.#criterion, facts);
      (isMet ? this.#met : this.#unmet).add(ordinal);
      (isMet ? this.#unmet : this.#met).remove(ordinal);
    }
  }
}
