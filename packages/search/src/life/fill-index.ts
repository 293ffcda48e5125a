import type { ReadView } from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { inBrief } from "../terms/brief-facts.ts";
import { runThrough } from "../slices.ts";
import { readTied, takeChanges } from "../take-changes.ts";
import { type SearchIndex } from "../search-index.ts";

/** Changes read from the store at a time. */
const FILL_PAGE = 5_000;

/**
 * Applies one page of the changes between the index and a view.
 *
 * @returns whether the index now stands where the view does
 */
export const takePage = async (index: SearchIndex, view: ReadView): Promise<boolean> => {
  const from = index.changeSeq;
  if (index.isAt(view.terms.changeSeq)) return true;
  if (index.isFilling) return takeFillPage(index, view, from);
  const changes = await view.terms.listChanges(from, FILL_PAGE);
  // Someone else may have caught the index up in between: then this page is old.
  if (index.changeSeq !== from) return false;
  const { changeSeq, settled } = endOf(changes, view);
  const isTaken = await takeChanges(index, view.terms, changes, changeSeq, settled);
  return isTaken && settled;
};

const takeFillPage = async (index: SearchIndex, view: ReadView, from: number): Promise<boolean> => {
  const { terms } = view;
  const changes =
    terms.listBriefChanges === undefined
      ? (await terms.listChanges(from, FILL_PAGE)).map(inBrief)
      : await terms.listBriefChanges(from, FILL_PAGE);
  if (index.changeSeq !== from) return false;
  const { changeSeq, settled } = endOf(changes, view);
  index.applyFill(changes, changeSeq, settled);
  return settled;
};

/** Where an index stands after a page: at its last change, or where the view does when there are no more. */
const endOf = (
  changes: readonly { readonly changeSeq: number }[],
  view: ReadView,
): { readonly changeSeq: number; readonly settled: boolean } => {
  const settled = changes.length < FILL_PAGE;
  return { changeSeq: settled ? view.terms.changeSeq : changes.at(-1)!.changeSeq, settled };
};

/** Brings an index no one else uses to the state of a view, in one go. */
export const fillIndex = async (index: SearchIndex, view: ReadView): Promise<void> => {
  if (!(await index.history.admits(view.terms, index)))
    throw brokenInvariant("an index was filled from a view of another history");
  const isNew = index.changeSeq === 0;
  if (isNew) index.startFill();
  while (!(await takePage(index, view)));
  if (!isNew) return;
  const tied = runThrough(index.sortFill());
  await readTied(index, view.terms, tied);
  runThrough(index.endFill());
};
