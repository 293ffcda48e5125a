import { sharedColumns } from "./asset-columns.ts";
import { sharedParts } from "./number-parts.ts";
import type { KnownWriter } from "./index-history.ts";
import type { SavedIndex } from "./saved-index.ts";

/** A saved index in shared memory. Each thread restores an index of its own from it. */
export interface SharedIndex {
  readonly saved: SavedIndex;
  /** They show whether the store was restored in the meantime. */
  readonly writers: readonly KnownWriter[];
}

/**
 * Puts the large arrays of a saved index, 25 of 39 bytes an asset, into memory that threads share. A restored index
 * copies a part of an array before it changes it.
 */
export const shareIndex = (saved: SavedIndex): SavedIndex => {
  const { id, created, updated } = saved.orders;
  return {
    ...saved,
    columns: sharedColumns(saved.columns),
    orders: { id: sharedParts(id), created: sharedParts(created), updated: sharedParts(updated) },
  };
};
