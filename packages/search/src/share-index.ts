import { type SavedColumns, sharedColumns } from "./asset-columns.ts";
import type { SavedIndex } from "./saved-index.ts";

/** An index for several threads, of which each restores its own. */
export interface SharedIndex {
  readonly saved: SavedIndex;
  /** See `StoreHistory`: a store that was restored in the meantime is noticed by these. */
  readonly writers: readonly string[];
}

/**
 * Puts the large arrays of a saved index, 60 of 75 bytes an asset, into memory that threads share. A restored index goes
 * its own way: what it would change is copied first, but for the ids, of which all threads say the same.
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
