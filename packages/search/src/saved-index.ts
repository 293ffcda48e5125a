import { type Criterion, type Ordinal, termKey } from "@lamplight/core";
import type { SavedColumns } from "./asset-columns.ts";
import { OrdinalSet, type SavedSet } from "./bitmap/ordinal-set.ts";
import { SearchIndex, type Term } from "./search-index.ts";
import { sliceBounds, type Slices } from "./slices.ts";
import { closedTerms } from "./terms/closed-terms.ts";

/** Raise when the meaning of a saved index changes: an older one is then rebuilt from the store. */
export const SAVED_INDEX_VERSION = 7;

/** An index as plain arrays, for a file next to the store. Disposable: the store can always fill a new one. */
export interface SavedIndex {
  readonly version: number;
  readonly changeSeq: number;
  /** Assets that changed while the copy was made: not to be believed, and every one of them changed after `changeSeq`. */
  readonly unsure: Uint32Array;
  /** The change counter when the copy was done: a store that is not as far never saw what is in `unsure`. */
  readonly doneSeq: number;
  readonly columns: SavedColumns;
  readonly existing: SavedSet;
  readonly orders: { readonly id: Uint32Array; readonly created: Uint32Array; readonly updated: Uint32Array };
  readonly terms: readonly { readonly criterion: Criterion; readonly members: SavedSet }[];
}

/** Copies the whole index in slices while it keeps changing. Parts that change in the meantime are noted. */
export function* dumpIndex(index: SearchIndex): Slices<SavedIndex> {
  const { changeSeq } = index;
  const unsure = new Set<Ordinal>();
  const stopNoting = index.noteChanges(unsure);
  try {
    const kept = [...index.terms()];
    const columns = yield* index.columns.dump();
    const orders = {
      id: yield* index.order("id").listed(),
      created: yield* index.order("created").listed(),
      updated: yield* index.order("updated").listed(),
    };
    const existing = index.existing.toSaved();
    const terms: SavedIndex["terms"][number][] = [];
    for (const { criterion, members } of kept) {
      yield;
      terms.push({ criterion, members: members.toSaved() });
    }
    const { changeSeq: doneSeq } = index;
    const version = SAVED_INDEX_VERSION;
    return {
      version,
      changeSeq,
      unsure: Uint32Array.from(unsure),
      doneSeq,
      columns,
      existing,
      orders,
      terms,
    };
  } finally {
    stopNoting();
  }
}

/** Null when it was saved by a version that meant something else or knew fewer closed criteria, or is no index. */
export function* restoreIndex(saved: SavedIndex): Slices<SearchIndex | null> {
  if (saved.version !== SAVED_INDEX_VERSION) return null;
  const unsure = OrdinalSet.fromSorted(saved.unsure.toSorted());
  const existing = sureMembers(saved.existing, saved.unsure);
  if (existing === null) return null;
  const terms: Term[] = [];
  for (const term of saved.terms) {
    const members = sureMembers(term.members, saved.unsure);
    if (members === null) return null;
    terms.push({ criterion: term.criterion, members });
  }
  const kept = new Set(terms.map(({ criterion }) => termKey(criterion)));
  if (!closedTerms.every(({ key }) => kept.has(key))) return null;
  const index = new SearchIndex();
  index.columns.restore(saved.columns);
  const orders = {
    id: yield* withoutUnsure(saved.orders.id, unsure),
    created: yield* withoutUnsure(saved.orders.created, unsure),
    updated: yield* withoutUnsure(saved.orders.updated, unsure),
  };
  yield* index.restore({ changeSeq: saved.changeSeq, existing, orders, terms, isWhole: unsure.size === 0 });
  return index;
}

const sureMembers = (saved: SavedSet, unsure: Uint32Array): OrdinalSet | null => {
  const members = OrdinalSet.fromSaved(saved);
  if (members !== null) for (const ordinal of unsure) members.remove(ordinal);
  return members;
};

function* withoutUnsure(ordinals: Uint32Array, unsure: OrdinalSet): Slices<Uint32Array> {
  if (unsure.size === 0) return ordinals;
  let length = 0;
  for (const [from, to] of sliceBounds(ordinals.length)) {
    for (let index = from; index < to; index++)
      if (!unsure.has(ordinals[index]!)) ordinals[length++] = ordinals[index]!;
    yield;
  }
  return ordinals.subarray(0, length);
}
