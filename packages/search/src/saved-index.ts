import { type Criterion, type Ordinal, termKey } from "@lamplight/core";
import type { SavedColumns } from "./asset-columns.ts";
import { OrdinalSet, type SavedSet } from "./bitmap/ordinal-set.ts";
import { NumberParts, PART_BITS } from "./number-parts.ts";
import type { KeptSort } from "./order/moved-by.ts";
import { SearchIndex, type Term } from "./search-index.ts";
import { sliceBounds, type Slices } from "./slices.ts";
import { closedTerms } from "./terms/closed-terms.ts";

/** Raise when the meaning of a saved index changes: an older one is then rebuilt from the store. */
export const SAVED_INDEX_VERSION = 8;

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
  readonly orders: { readonly [sort in KeptSort]: readonly Uint32Array[] };
  readonly terms: readonly { readonly criterion: Criterion; readonly members: SavedSet }[];
}

/** Copies the whole index in slices while it keeps changing. Parts that change in the meantime are noted. */
export function* dumpIndex(index: SearchIndex): Slices<SavedIndex> {
  const { changeSeq } = index;
  const unsure = new Set<Ordinal>();
  const stopNoting = index.noteChanges((changes) => {
    for (const { ordinal } of changes) unsure.add(ordinal);
  });
  try {
    const kept = [...index.terms()];
    const columns = yield* index.columns.dump();
    const orders = {
      id: (yield* index.order("id").listed()).toParts(),
      created: (yield* index.order("created").listed()).toParts(),
      updated: (yield* index.order("updated").listed()).toParts(),
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
export function* restoreIndex(saved: SavedIndex, partBits = PART_BITS): Slices<SearchIndex | null> {
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
  const index = new SearchIndex(partBits);
  index.columns.restore(saved.columns);
  const orders = {
    id: yield* sureOrder(saved.orders.id, unsure, partBits),
    created: yield* sureOrder(saved.orders.created, unsure, partBits),
    updated: yield* sureOrder(saved.orders.updated, unsure, partBits),
  };
  yield* index.restore({ changeSeq: saved.changeSeq, existing, orders, terms, isWhole: unsure.size === 0 });
  return index;
}

const sureMembers = (saved: SavedSet, unsure: Uint32Array): OrdinalSet | null => {
  const members = OrdinalSet.fromSaved(saved);
  if (members !== null) for (const ordinal of unsure) members.remove(ordinal);
  return members;
};

function* sureOrder(
  parts: readonly Uint32Array[],
  unsure: OrdinalSet,
  partBits: number,
): Slices<NumberParts> {
  const ordinals = new NumberParts(partBits);
  ordinals.restore(parts);
  if (unsure.size === 0) return ordinals;
  let length = 0;
  for (const [from, to] of sliceBounds(ordinals.length)) {
    for (let index = from; index < to; index++) {
      const ordinal = ordinals.get(index);
      if (!unsure.has(ordinal)) ordinals.set(length++, ordinal);
    }
    yield;
  }
  ordinals.resize(length);
  return ordinals;
}
