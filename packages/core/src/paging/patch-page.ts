import type { MaybePromise } from "../domain/address.ts";
import type { SortKey } from "../domain/search.ts";
import { whenReady } from "../ports/when-ready.ts";
import { comparePlaces } from "./asset-place.ts";
import type { PageReader, PageWindow } from "./cut-page.ts";

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

/** Starts reading so far before the rank that no changed row is skipped, and counts added rows before the start. */
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

/** At least `count` rows that are not hidden; fewer only where the reader has no more. */
const readKept = <Row>(
  reader: PageReader<Row>,
  patch: PagePatch<Row>,
  window: PageWindow,
  count: number,
): MaybePromise<readonly Row[]> =>
  whenReady(reader.read(window), (rows) => keepFrom(reader, patch, rows, window, count));

/** Rows that are not hidden. Reads on while there are too few. */
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
