export { RECENT_CHANGES_MAX } from "./earlier/recent-changes.ts";
export { OrdinalSet, type SavedSet } from "./bitmap/ordinal-set.ts";
export { CATCH_UP_MAX, createIndexedSearch } from "./indexed-search.ts";
export { type MemoryReport, SearchIndex } from "./search-index.ts";
export { inBrief } from "./terms/brief-facts.ts";
export { dumpIndex, restoreIndex, SAVED_INDEX_VERSION, type SavedIndex } from "./saved-index.ts";
export { runThrough, type Slices } from "./slices.ts";
export { termKey } from "./terms/term-key.ts";
