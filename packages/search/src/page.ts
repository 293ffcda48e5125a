import {
  type AssetPlace,
  atOnce,
  type Ordinal,
  type PageReader,
  type PageWindow,
  type SortKey,
  type TermReader,
} from "@lamplight/core";
import type { CountedSet } from "./bitmap/member-set.ts";
import type { CompareToPosition } from "./order/compare.ts";
import { compareToPlace, placeAt } from "./order/column-places.ts";
import type { KnownIds } from "./known-ids.ts";
import { storageOrder } from "./order/storage-order.ts";
import type { SearchIndex } from "./search-index.ts";

/** One order over all assets, ascending. */
interface Pageable {
  window(matches: CountedSet, from: number, count: number): number[];
  after(matches: CountedSet, position: CompareToPosition, count: number): number[];
  /** Nearest first. */
  before(matches: CountedSet, position: CompareToPosition, count: number): number[];
}

/** The whole ids that an answer reads from the rows of its view. */
export interface RowIds {
  readonly terms: Pick<TermReader, "readPositions">;
  /** Has what `SearchIndex.unknownTied` says of every id that the answer compares with. */
  readonly known: KnownIds;
}

/** Pages of matches in memory. */
export interface IndexPages extends PageReader<Ordinal> {
  /** The position itself, for a cursor. */
  wholePlaceOf(ordinal: Ordinal): Promise<AssetPlace>;
}

/** Pages of these matches as the index has them now. Descending pages walk the ascending order backwards. */
export const readPages = (
  index: SearchIndex,
  sort: SortKey,
  matches: CountedSet,
  { terms, known }: RowIds,
): IndexPages => {
  const { columns } = index;
  const order: Pageable = sort === "none" ? storageOrder : index.order(sort);
  const placeOf = (ordinal: Ordinal): AssetPlace => placeAt(columns, sort, ordinal, known);
  const ordinalsIn = ({ direction, from, limit }: PageWindow): readonly Ordinal[] => {
    const isAscending = direction === "asc";
    if (typeof from !== "number") {
      const position = compareToPlace(columns, sort, from, known);
      return isAscending ? order.after(matches, position, limit) : order.before(matches, position, limit);
    }
    if (isAscending) return order.window(matches, from, limit);
    const end = matches.size - from;
    if (end <= 0) return [];
    const start = Math.max(0, end - limit);
    return order.window(matches, start, end - start).toReversed();
  };
  return {
    count: () => atOnce(matches.size),
    read: (window) => atOnce(ordinalsIn(window)),
    findPlace: (id) => {
      const ordinal = index.ordinalOf(id, known);
      return atOnce(ordinal === null ? null : placeOf(ordinal));
    },
    ordinalOf: (ordinal) => ordinal,
    placeOf,
    wholePlaceOf: async (ordinal) => {
      const place = placeOf(ordinal);
      if ((columns.tied.get(ordinal) ?? known.get(ordinal)) !== undefined) return place;
      const [row] = await terms.readPositions([ordinal]);
      return { ...place, id: row!.id };
    },
  };
};
