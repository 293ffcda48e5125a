import { type MaybePromise, type Ordinal, type TermReader, whenReady } from "@lamplight/core";
import type { AssetColumns } from "./asset-columns.ts";
import type { KnownIds } from "./known-ids.ts";

/** Rows read at once. */
const ROWS_PER_READ = 1000;

/**
 * Reads whole ids from rows. An asset that the view has no more (what removed it is still to be taken in, or the view is
 * behind) gets an id of its own with the same prefix, so that orders stay orders.
 */
export const readIds = (
  columns: AssetColumns,
  terms: Pick<TermReader, "readPositions">,
  ordinals: readonly Ordinal[],
  into: KnownIds,
): MaybePromise<void> => {
  if (ordinals.length === 0) return undefined;
  const page = ordinals.slice(0, ROWS_PER_READ);
  return whenReady(terms.readPositions(page), (rows) => {
    for (const row of rows) if (row !== undefined) into.set(row.ordinal, row.id);
    for (const ordinal of page) if (!into.has(ordinal)) into.set(ordinal, standInOf(columns, ordinal));
    return readIds(columns, terms, ordinals.slice(ROWS_PER_READ), into);
  });
};

const standInOf = (columns: AssetColumns, ordinal: Ordinal): Uint8Array => {
  const id = columns.idOrPrefix(ordinal).slice();
  new DataView(id.buffer).setUint32(id.length - 4, ordinal);
  return id;
};
