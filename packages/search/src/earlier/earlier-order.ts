import type { Ordinal } from "@lamplight/core";
import type { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { CompareOrdinals, CompareToPosition, OrderColumns } from "../order/asset-order.ts";
import type { Pageable } from "../page.ts";

interface Parts {
  /** The order as it stands now. */
  readonly order: Pageable;
  readonly now: OrderColumns;
  /** Assets changed since: they stand at other places of it than they did. */
  readonly changed: OrdinalSet;
  /** Those of them that there were, in the earlier order. */
  readonly sorted: readonly Ordinal[];
  readonly compare: CompareOrdinals;
}

/** An order as it was a few changes ago: the assets that kept still, and those that did not merged in where they stood. */
export class EarlierOrder implements Pageable {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  window(matches: OrdinalSet, from: number, count: number): number[] {
    const { order, changed, compare } = this.#parts;
    const moved = this.#moved(matches);
    // So far back that no moved asset can lie between there and the window.
    const start = Math.max(0, from - moved.length);
    const kept = order.window(matches.andNot(changed), start, from + count - start);
    const [first] = kept;
    if (first === undefined && start > 0) return [];
    const skipped = start === 0 ? 0 : moved.filter((ordinal) => compare(ordinal, first!) < 0).length;
    const offset = from - start - skipped;
    return merge(kept, moved.slice(skipped), compare, offset + count).slice(offset);
  }

  after(matches: OrdinalSet, position: CompareToPosition, count: number): number[] {
    const { order, now, changed, compare } = this.#parts;
    const kept = order.after(matches.andNot(changed), (ordinal) => position(ordinal, now), count);
    const moved = this.#moved(matches).filter((ordinal) => position(ordinal) > 0);
    return merge(kept, moved, compare, count);
  }

  before(matches: OrdinalSet, position: CompareToPosition, count: number): number[] {
    const { order, now, changed, compare } = this.#parts;
    const kept = order.before(matches.andNot(changed), (ordinal) => position(ordinal, now), count);
    const moved = this.#moved(matches).filter((ordinal) => position(ordinal) < 0);
    return merge(kept, moved.toReversed(), (a, b) => compare(b, a), count);
  }

  #moved(matches: OrdinalSet): Ordinal[] {
    return this.#parts.sorted.filter((ordinal) => matches.has(ordinal));
  }
}

/** The first `count` of two lists that are each in order. */
const merge = (
  a: readonly Ordinal[],
  b: readonly Ordinal[],
  compare: CompareOrdinals,
  count: number,
): Ordinal[] => {
  const merged: Ordinal[] = [];
  let nextA = 0;
  let nextB = 0;
  while (merged.length < count && (nextA < a.length || nextB < b.length)) {
    const takesA = nextB >= b.length || (nextA < a.length && compare(a[nextA]!, b[nextB]!) < 0);
    merged.push(takesA ? a[nextA++]! : b[nextB++]!);
  }
  return merged;
};
