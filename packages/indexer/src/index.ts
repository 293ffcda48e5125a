export { type ChainContent, mergeContent } from "./content/merge-content.ts";
export {
  createIndexer,
  type ApplySummary,
  type Indexer,
  type IndexerOptions,
  type Updates,
} from "./indexer.ts";
export {
  assetRecord,
  type AssetRecord,
  type Compression,
  type PrintSupply,
  type TokenInfo,
  type Uses,
} from "./record/asset-record.ts";
export { shapeDocument, shapeExtras } from "./record/shape-document.ts";
export { ruleBook } from "./programs/rule-book.ts";
export type {
  AccountClaim,
  AssetView,
  IndexProblem,
  KnownAccount,
  LedgerEvent,
  ReportProblem,
  RuleBook,
} from "./rules/rules.ts";
export { type AssetDifference, type VerifyReport, verifyAssets } from "./verify/verify-assets.ts";
export { verifyRows } from "./verify/verify-rows.ts";
export {
  type SearchLife,
  type SearchLifeOptions,
  type SearchStatus,
  startSearchLife,
} from "./search/search-life.ts";
export { verifySearch } from "./search/verify-search.ts";
export { searchFileOf } from "./search/search-file.ts";
export {
  type CommitStats,
  ForkOverlay,
  type ForkOverlayOptions,
  type OverlayState,
  type SlotUpdates,
} from "./overlay/fork-overlay.ts";
export { SharedOverlay, type SharedOverlayOptions, type SharedState } from "./overlay/shared-overlay.ts";
export { readStoredAccounts, readTreeSlot } from "./follow/confirmed-base.ts";
export { ConfirmedFollower, type ConfirmedSlotEvent } from "./follow/confirmed-follower.ts";
export { ChainFollower, type ChainFollowerOptions, type FollowerState } from "./follow/chain-follower.ts";
export type { ChainGap } from "./follow/noted-gap.ts";
export { ClaimSpill, claimingPrograms, type SpillPlace } from "./engine/bulk/claim-spill.ts";
export { derivePartition } from "./engine/bulk/derive-partition.ts";
export { PartJoin } from "./engine/bulk/join-partition.ts";
export { AccountSelection, type SelectionFilter } from "./select/account-selection.ts";
