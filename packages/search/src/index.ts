export { RECENT_CHANGES_MAX } from "./earlier/recent-changes.ts";
export { OrdinalSet, type SavedSet } from "./bitmap/ordinal-set.ts";
export { createIndexedSearch, HOLDINGS_MAX, NAMES_MAX, RARE_MEMBERS_MAX } from "./indexed-search.ts";
export { KEPT_TERMS_MAX, type MemoryReport, SearchIndex, type Term } from "./search-index.ts";
export { inBrief } from "./terms/brief-facts.ts";
export { matchesCriterion } from "./terms/matches-criterion.ts";
export { dumpIndex, restoreIndex, SAVED_INDEX_VERSION, type SavedIndex } from "./saved-index.ts";
export { runThrough, type Slices } from "./slices.ts";
export { termKey } from "./terms/term-key.ts";
