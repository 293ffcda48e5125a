import type { Criterion } from "@lamplight/core";
import type { SavedColumns } from "./asset-columns.ts";
import { OrdinalSet, type SavedSet } from "./bitmap/ordinal-set.ts";
import { SearchIndex, type Term } from "./search-index.ts";
import type { Slices } from "./slices.ts";

/** Raise when the meaning of a saved index changes: an older one is then rebuilt from the store. */
export const SAVED_INDEX_VERSION = 3;

/** An index as plain arrays, for a file beside the store. Disposable: the store can always fill a new one. */
export interface SavedIndex {
  readonly version: number;
  readonly changeSeq: number;
  readonly columns: SavedColumns;
  readonly existing: SavedSet;
  readonly orders: { readonly id: Uint32Array; readonly created: Uint32Array; readonly updated: Uint32Array };
  readonly terms: readonly { readonly criterion: Criterion; readonly members: SavedSet }[];
}

/** An own copy of everything: it stays as it is while the index goes on. */
export const dumpIndex = (index: SearchIndex): SavedIndex => ({
  version: SAVED_INDEX_VERSION,
  changeSeq: index.changeSeq,
  columns: index.columns.dump(),
  existing: index.existing.toSaved(),
  orders: {
    id: index.order("id").toArray(),
    created: index.order("created").toArray(),
    updated: index.order("updated").toArray(),
  },
  terms: Array.from(index.terms(), ({ criterion, members }) => ({ criterion, members: members.toSaved() })),
});

/** Null when it was saved by a version that meant something else, or is no index. */
export function* restoreIndex(saved: SavedIndex): Slices<SearchIndex | null> {
  if (saved.version !== SAVED_INDEX_VERSION) return null;
  const existing = OrdinalSet.fromSaved(saved.existing);
  if (existing === null) return null;
  const terms: Term[] = [];
  for (const term of saved.terms) {
    const members = OrdinalSet.fromSaved(term.members);
    if (members === null) return null;
    terms.push({ criterion: term.criterion, members });
  }
  const index = new SearchIndex();
  index.columns.restore(saved.columns);
  yield* index.restore({ changeSeq: saved.changeSeq, existing, orders: saved.orders, terms });
  return index;
}
