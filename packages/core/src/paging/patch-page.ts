import type { SortKey } from "../domain/search.ts";
import { comparePlaces } from "./asset-place.ts";
import type { PageReader, PageWindow } from "./cut-page.ts";
import type { Waits } from "./waits.ts";

/** Rows per read while changed rows are merged in. */
const CHUNK_ROWS = 1_000;

/** Differences between the matches of a reader and those at another state of the chain. */
export interface PagePatch<Row> {
  /** Whether the asset of a row has changed. Such a row is left out; `added` has it where it still matches. */
  isHidden(row: Row): boolean;
  /** All matches of the reader that are left out. */
  readonly removed: readonly Row[];
  /** Changed assets that match at the other state. */
  readonly added: readonly Row[];
}

/**
 * Matches at another state of the chain: those of the reader without the changed assets, merged with the added ones. A
 * view above the finalized slot patches the matches of the store. A view behind the search index patches those of the
 * index.
 *
 * @param reader - its `findPlace` answers for the other state already
 */
export const patchPages = <Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  sort: SortKey,
  patch: PagePatch<Row>,
): PageReader<Row, Yielded> => ({
  ...reader,
  *count() {
    return (yield* reader.count()) - patch.removed.length + patch.added.length;
  },
  *read(window) {
    const { direction, from } = window;
    const compare = (a: Row, b: Row): number =>
      comparePlaces({ sort, direction }, reader.placeOf(a), reader.placeOf(b));
    const added = patch.added.toSorted(compare);
    if (typeof from === "number") return yield* readAt(reader, patch, { ...window, from }, added, compare);
    const beyond = added.filter((row) => comparePlaces({ sort, direction }, reader.placeOf(row), from) > 0);
    const rows = yield* reader.read(window);
    return merge(
      yield* keepFrom(reader, patch, rows, window, window.limit),
      beyond,
      compare,
      0,
      window.limit,
    );
  },
});

type Compare<Row> = (a: Row, b: Row) => number;

/** Starts reading so far before the rank that no changed row is skipped, and counts added rows before the start. */
function* readAt<Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  patch: PagePatch<Row>,
  { direction, from, limit }: PageWindow & { readonly from: number },
  added: readonly Row[],
  compare: Compare<Row>,
): Waits<readonly Row[], Yielded> {
  const count = from === 0 ? 1 : yield* reader.count();
  const start = Math.max(0, Math.min(from - added.length, count - 1));
  const chunk = Math.max(limit, Math.min(limit + added.length, CHUNK_ROWS));
  const rows = yield* reader.read({ direction, from: start, limit: chunk });
  const first = start === 0 ? undefined : rows[0];
  const isBefore = (row: Row): boolean => first !== undefined && compare(row, first) < 0;
  const rank = start - patch.removed.filter(isBefore).length + added.filter(isBefore).length;
  const tail = added.filter((row) => !isBefore(row));
  const kept = yield* keepFrom(reader, patch, rows, { direction, limit: chunk }, from - rank + limit);
  return merge(kept, tail, compare, from - rank, limit);
}

/** At least `count` rows that are not hidden, from the first rows that were read; fewer only where there are no more. */
function* keepFrom<Row, Yielded>(
  reader: PageReader<Row, Yielded>,
  { isHidden }: PagePatch<Row>,
  first: readonly Row[],
  { direction, limit }: Omit<PageWindow, "from">,
  count: number,
): Waits<readonly Row[], Yielded> {
  const kept = first.filter((row) => !isHidden(row));
  let rows = first;
  for (let asked = limit; kept.length < count && rows.length > 0 && rows.length >= asked;) {
    const from = reader.placeOf(rows.at(-1) as Row);
    asked = Math.max(limit, CHUNK_ROWS);
    rows = yield* reader.read({ direction, from, limit: asked });
    for (const row of rows) if (!isHidden(row)) kept.push(row);
  }
  return kept;
}

/** Rows `skip` to `skip + limit` of two sorted lists, merged. */
const merge = <Row>(
  kept: readonly Row[],
  added: readonly Row[],
  compare: Compare<Row>,
  skip: number,
  limit: number,
): readonly Row[] => {
  const merged: Row[] = [];
  let nextKept = 0;
  let nextAdded = 0;
  while (merged.length < skip + limit && (nextKept < kept.length || nextAdded < added.length)) {
    const takesAdded =
      nextKept >= kept.length ||
      (nextAdded < added.length && compare(added[nextAdded]!, kept[nextKept]!) < 0);
    merged.push(takesAdded ? added[nextAdded++]! : kept[nextKept++]!);
  }
  return merged.slice(skip);
};
