import type { AssetChange, TermReader } from "@lamplight/core";
import type { ViewState } from "./index-history.ts";
import { readIds } from "./read-ids.ts";
import type { SearchIndex } from "./search-index.ts";

/**
 * Applies changes that follow the state of an index. Where an id shares its prefix with another, the other's is read first.
 *
 * @param terms - of the view that the changes were read from
 * @returns false where the index has gone on in the meantime, or with another opening: then nothing was applied
 */
export const takeChanges = async (
  index: SearchIndex,
  terms: Pick<TermReader, "readPositions"> & ViewState,
  changes: readonly AssetChange[],
  changeSeq: number,
  settled = true,
): Promise<boolean> => {
  const from = index.changeSeq;
  const { columns } = index;
  await readIds(columns, terms, index.unknownTiedBy(changes), columns.tied);
  if (index.changeSeq !== from || !index.history.has(terms)) return false;
  index.apply(changes, changeSeq, settled);
  return true;
};

/** Reads the whole ids that `sortFill` names. */
export const readTied = (
  { columns }: SearchIndex,
  terms: Pick<TermReader, "readPositions">,
  tied: readonly number[],
): Promise<void> => readIds(columns, terms, tied, columns.tied);
