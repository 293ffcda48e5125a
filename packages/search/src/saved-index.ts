import type { Criterion } from "@lamplight/core";
import type { SavedColumns } from "./asset-columns.ts";
import { OrdinalSet } from "./bitmap/ordinal-set.ts";
import { SearchIndex } from "./search-index.ts";

/** Raise when the meaning of a saved index changes: an older one is then rebuilt from the store. */
export const SAVED_INDEX_VERSION = 2;

/** An index as plain arrays, for a file beside the store. Disposable: the store can always fill a new one. */
export interface SavedIndex {
  readonly version: number;
  readonly changeSeq: number;
  readonly columns: SavedColumns;
  readonly existing: Uint32Array;
  readonly orders: { readonly id: Uint32Array; readonly created: Uint32Array; readonly updated: Uint32Array };
  readonly terms: readonly { readonly criterion: Criterion; readonly members: Uint32Array }[];
}

export const dumpIndex = (index: SearchIndex): SavedIndex => ({
  version: SAVED_INDEX_VERSION,
  changeSeq: index.changeSeq,
  columns: index.columns.dump(),
  existing: index.existing.toArray(),
  orders: {
    id: index.order("id").toArray(),
    created: index.order("created").toArray(),
    updated: index.order("updated").toArray(),
  },
  terms: [...index.terms()].map(({ criterion, members }) => ({ criterion, members: members.toArray() })),
});

/** Null when it was saved by a version that meant something else. */
export const restoreIndex = (saved: SavedIndex): SearchIndex | null => {
  if (saved.version !== SAVED_INDEX_VERSION) return null;
  const index = new SearchIndex();
  index.columns.restore(saved.columns);
  index.restore({
    changeSeq: saved.changeSeq,
    existing: OrdinalSet.fromSorted(saved.existing),
    orders: saved.orders,
    terms: saved.terms.map(({ criterion, members }) => ({
      criterion,
      members: OrdinalSet.fromSorted(members),
    })),
  });
  return index;
};
