import type { AssetChange } from "@lamplight/core";

/** Changes remembered with their facts, some 20 MB at most: a view this far behind is still answered from memory. */
export const RECENT_CHANGES_MAX = 10_000;

interface Batch {
  readonly changes: readonly AssetChange[];
  /** The change counter after it. */
  readonly changeSeq: number;
}

/** The last changes an index has taken in. */
export class RecentChanges {
  readonly #batches: Batch[] = [];
  #count = 0;
  /** Everything after this change counter is here. */
  #since = 0;

  take(changes: readonly AssetChange[], changeSeq: number): void {
    this.#batches.push({ changes, changeSeq });
    this.#count += changes.length;
    while (this.#count > RECENT_CHANGES_MAX) {
      const oldest = this.#batches.shift()!;
      this.#count -= oldest.changes.length;
      this.#since = oldest.changeSeq;
    }
  }

  /** Forgets all: nothing before that change counter is known. */
  beginAt(changeSeq: number): void {
    this.#batches.length = 0;
    this.#count = 0;
    this.#since = changeSeq;
  }

  /** Changes after that counter, with at least the newest state of each asset. Null when they are not kept any more. */
  after(changeSeq: number): readonly AssetChange[] | null {
    if (changeSeq < this.#since) return null;
    const from = this.#batches.findLastIndex((batch) => batch.changeSeq <= changeSeq) + 1;
    return this.#batches
      .slice(from)
      .flatMap(({ changes }) => changes.filter((change) => change.changeSeq > changeSeq));
  }
}
