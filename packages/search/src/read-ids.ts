import type { AssetPosition, Ordinal, TermReader } from "@lamplight/core";
import type { AssetColumns } from "./asset-columns.ts";
import type { KnownIds } from "./known-ids.ts";

/** Rows read at once. */
const ROWS_PER_READ = 1000;

/** Reads whole ids from rows. */
export const readIds = async (
  columns: AssetColumns,
  terms: Pick<TermReader, "readPositions">,
  ordinals: readonly Ordinal[],
  into: KnownIds,
): Promise<void> => {
  for (let from = 0; from < ordinals.length; from += ROWS_PER_READ) {
    const page = ordinals.slice(from, from + ROWS_PER_READ);
    keepIds(columns, page, await terms.readPositions(page), into);
  }
};

/**
 * Keeps the ids of rows that were read. An asset that the view has no more (what removed it is still to be taken in, or
 * the view is behind) gets an id of its own with the same prefix, so that orders stay orders.
 */
export const keepIds = (
  columns: AssetColumns,
  asked: readonly Ordinal[],
  rows: readonly (AssetPosition | undefined)[],
  into: KnownIds,
): void => {
  for (const row of rows) if (row !== undefined) into.set(row.ordinal, row.id);
  for (const ordinal of asked) if (!into.has(ordinal)) into.set(ordinal, standInOf(columns, ordinal));
};

const standInOf = (columns: AssetColumns, ordinal: Ordinal): Uint8Array => {
  const id = columns.idOrPrefix(ordinal).slice();
  new DataView(id.buffer).setUint32(id.length - 4, ordinal);
  return id;
};
