import type { MaybePromise } from "../domain/address.ts";
import type { SortKey } from "../domain/search.ts";
import { whenReady } from "../ports/when-ready.ts";
import { comparePlaces } from "./asset-place.ts";
import type { PageReader, PageWindow } from "./cut-page.ts";

/** Rows read at once while changed rows are merged in. */
const CHUNK_ROWS = 1_000;

/** How the matches at another state differ from those of a reader. */
export interface PagePatch<Row> {
  /** Whether a row of the reader is of an asset that changed: it is left out, whether it matches now or not. */
  isHidden(row: Row): boolean;
  /** All matches of the reader that are hidden. */
  readonly removed: readonly Row[];
  /** Changed assets that match, as they are now. */
  readonly added: readonly Row[];
}

/**
 * Matches at another state than the reader's: its own without the hidden ones, and the added ones merged in. A view
 * above the finalized slot patches what the store finds; a view behind the search index patches what the index finds.
 *
 * @param reader - `findPlace` answers for the other state
 */
export const patchPages = <Row>(
  reader: PageReader<Row>,
  sort: SortKey,
  patch: PagePatch<Row>,
): PageReader<Row> => ({
  ...reader,
  count: () => whenReady(reader.count(), (count) => count - patch.removed.length + patch.added.length),
  read: (window) => {
    const { direction, from } = window;
    const compare = (a: Row, b: Row): number =>
      comparePlaces({ sort, direction }, reader.placeOf(a), reader.placeOf(b));
    const added = patch.added.toSorted(compare);
    if (typeof from === "number") return readAt(reader, patch, { ...window, from }, added, compare);
    const beyond = added.filter((row) => comparePlaces({ sort, direction }, reader.placeOf(row), from) > 0);
    return whenReady(readKept(reader, patch, window, window.limit), (kept) =>
      merge(kept, beyond, compare, 0, window.limit),
    );
  },
});

type Compare<Row> = (a: Row, b: Row) => number;

/** Begins so far before the rank that no changed row can lie between, and counts those before the first row read. */
const readAt = <Row>(
  reader: PageReader<Row>,
  patch: PagePatch<Row>,
  { direction, from, limit }: PageWindow & { readonly from: number },
  added: readonly Row[],
  compare: Compare<Row>,
): MaybePromise<readonly Row[]> =>
  whenReady(from === 0 ? 1 : reader.count(), (count) => {
    const start = Math.max(0, Math.min(from - added.length, count - 1));
    const chunk = Math.max(limit, Math.min(limit + added.length, CHUNK_ROWS));
    return whenReady(reader.read({ direction, from: start, limit: chunk }), (rows) => {
      const first = start === 0 ? undefined : rows[0];
      const isBefore = (row: Row): boolean => first !== undefined && compare(row, first) < 0;
      const rank = start - patch.removed.filter(isBefore).length + added.filter(isBefore).length;
      const tail = added.filter((row) => !isBefore(row));
      const kept = keepFrom(reader, patch, rows, { direction, limit: chunk }, from - rank + limit);
      return whenReady(kept, (all) => merge(all, tail, compare, from - rank, limit));
    });
  });

/** At least `count` rows that are not hidden, where there are so many. */
const readKept = <Row>(
  reader: PageReader<Row>,
  patch: PagePatch<Row>,
  window: PageWindow,
  count: number,
): MaybePromise<readonly Row[]> =>
  whenReady(reader.read(window), (rows) => keepFrom(reader, patch, rows, window, count));

/** Rows that are not hidden, of those just read and, while they are too few, of those that follow. */
const keepFrom = <Row>(
  reader: PageReader<Row>,
  patch: PagePatch<Row>,
  rows: readonly Row[],
  { direction, limit }: Omit<PageWindow, "from">,
  count: number,
): MaybePromise<readonly Row[]> => {
  const kept = rows.filter((row) => !patch.isHidden(row));
  const last = rows.at(-1);
  if (kept.length >= count || last === undefined || rows.length < limit) return kept;
  const next = { direction, from: reader.placeOf(last), limit: Math.max(limit, CHUNK_ROWS) };
  return whenReady(readKept(reader, patch, next, count - kept.length), (rest) => [...kept, ...rest]);
};

/** Rows `skip` to `skip + limit` of two lists that are each in order. */
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
