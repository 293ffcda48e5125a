import type { Ordinal, PageReader, SortKey } from "@lamplight/core";
import type { OrdinalSet } from "./bitmap/ordinal-set.ts";
import type { EarlierState } from "./earlier/earlier-state.ts";
import { readPages, type RowIds } from "./page.ts";
import type { SearchIndex } from "./search-index.ts";
import type { TermRead } from "./terms/read-term.ts";

/** The index at the state of one view. */
export interface IndexAtView {
  readonly members: (read: TermRead) => OrdinalSet;
  readonly existing: OrdinalSet;
  readonly pages: (sort: SortKey, matches: OrdinalSet) => PageReader<Ordinal>;
}

export const indexNow = (index: SearchIndex, rowIds: RowIds): IndexAtView => ({
  members: ({ members, held }) => (held === null ? members : held.or(members)),
  existing: index.existing,
  pages: (sort, matches) => readPages(index, sort, matches, rowIds),
});

/** Members of a term that the index dropped in the meantime are as of a moment between the view and now, which is enough. */
export const indexEarlier = (earlier: EarlierState): IndexAtView => ({
  members: ({ criterion, members, held }) => {
    const then = earlier.members(criterion, members);
    return held === null ? then : held.or(then);
  },
  existing: earlier.existing,
  pages: (sort, matches) => earlier.pages(sort, matches),
});
