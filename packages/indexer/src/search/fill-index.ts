import type { ReadView } from "@lamplight/core";
import type { SearchIndex } from "@lamplight/search";

/** Changes read from the store at a time. */
export const FILL_PAGE = 5_000;

/**
 * Applies one page of the changes between the index and a view.
 *
 * @returns whether the index now stands where the view does
 */
export const takePage = async (index: SearchIndex, view: ReadView): Promise<boolean> => {
  const from = index.changeSeq;
  if (index.standsAt(view.terms.changeSeq)) return true;
  const changes = await view.terms.listChanges(from, FILL_PAGE);
  // Someone else may have caught the index up in between: then this page is old.
  if (index.changeSeq !== from) return false;
  const settled = changes.length < FILL_PAGE;
  index.apply(changes, settled ? view.terms.changeSeq : changes.at(-1)!.changeSeq, settled);
  return settled;
};

/** Brings an index nobody else uses to the state of a view, in one go. */
export const fillIndex = async (index: SearchIndex, view: ReadView): Promise<void> => {
  const isNew = index.changeSeq === 0;
  if (isNew) index.startFill();
  while (!(await takePage(index, view)));
  if (isNew) index.endFill();
};
