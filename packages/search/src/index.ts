export { RECENT_CHANGES_MAX } from "./earlier/recent-changes.ts";
export { loadIndexFile, saveIndexFile, searchFileOf } from "./life/search-file.ts";
export type { SearchLifeOptions, SearchStatus } from "./life/search-life-options.ts";
export { type SearchLife, startSearchLife } from "./life/search-life.ts";
export { verifySearch } from "./life/verify-search.ts";
export { SearchIndex } from "./search-index.ts";
export type { SharedIndex } from "./share-index.ts";
export { runThrough } from "./slices.ts";
