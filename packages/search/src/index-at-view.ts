import type { SortKey } from "@lamplight/core";
import { either } from "./bitmap/combined-set.ts";
import type { CountedSet, MemberSet } from "./bitmap/member-set.ts";
import type { EarlierState } from "./earlier/earlier-state.ts";
import { type IndexPages, readPages, type RowIds } from "./page.ts";
import type { SearchIndex } from "./search-index.ts";
import type { TermRead } from "./terms/read-term.ts";

/** The index at the state of one view. Its sets are those of the index: they are read before anything is waited for. */
export interface IndexAtView {
  readonly members: (read: TermRead) => MemberSet;
  readonly existing: MemberSet;
  readonly pages: (sort: SortKey, matches: CountedSet) => IndexPages;
}

export const indexNow = (index: SearchIndex, rowIds: RowIds): IndexAtView => ({
  members: ({ members, held }) => (held === null ? members : either(held, members)),
  existing: index.existing,
  pages: (sort, matches) => readPages(index, sort, matches, rowIds),
});

/** Members of a term that the index dropped in the meantime are as of a moment between the view and now, which is enough. */
export const indexEarlier = (earlier: EarlierState): IndexAtView => ({
  members: ({ criterion, members, held }) => {
    const then = earlier.members(criterion, members);
    return held === null ? then : either(held, then);
  },
  existing: earlier.existing,
  pages: (sort, matches) => earlier.pages(sort, matches),
});
