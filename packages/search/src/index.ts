export { RECENT_CHANGES_MAX } from "./earlier/recent-changes.ts";
export { loadIndexFile, saveIndexFile, searchFileOf } from "./life/search-file.ts";
export {
  type SearchLife,
  type SearchLifeOptions,
  type SearchStatus,
  startSearchLife,
} from "./life/search-life.ts";
export { verifySearch } from "./life/verify-search.ts";
export { SearchIndex } from "./search-index.ts";
export type { SharedIndex } from "./share-index.ts";
export { runThrough } from "./slices.ts";
