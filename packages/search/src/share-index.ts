import { type SavedColumns, sharedColumns } from "./asset-columns.ts";
import type { SavedIndex } from "./saved-index.ts";

/** A saved index in shared memory. Each thread restores an index of its own from it. */
export interface SharedIndex {
  readonly saved: SavedIndex;
  /** See `StoreHistory`: they show whether the store was restored in the meantime. */
  readonly writers: readonly string[];
}

/**
 * Puts the large arrays of a saved index, 25 of 39 bytes an asset, into memory that threads share. A restored index
 * copies an array before it changes it. Prefixes of ids are the exception: all threads write the same ones.
 */
export const shareIndex = (saved: SavedIndex): SavedIndex => {
  const { id, created, updated } = saved.orders;
  const columns: SavedColumns = sharedColumns(saved.columns);
  return {
    ...saved,
    columns,
    orders: { id: shared(id), created: shared(created), updated: shared(updated) },
  };
};

const shared = (ordinals: Uint32Array): Uint32Array => {
  const copy = new Uint32Array(new SharedArrayBuffer(ordinals.byteLength));
  copy.set(ordinals);
  return copy;
};
