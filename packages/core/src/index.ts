export {
  ACCOUNT_BITS as accountBits,
  accountPartColumns,
  accountRowColumns,
  CODED_BIT as codedBit,
  decodeAccountParts,
  decodeAccountRow,
  decodeBaseTokenAccount,
  type EncodedAccount,
  encodeAccountRow,
  EXECUTABLE_BIT as executableBit,
  HOLDING_BIT as holdingBit,
  LAST_LIFE_BIT as lastLifeBit,
  type ProgramOf,
  RENT_EXEMPT_BIT as rentExemptBit,
  RENT_EXEMPT_EPOCH as rentExemptEpoch,
  NON_CIRCULATING_STAKE_BIT as nonCirculatingStakeBit,
  STORED_BASE_BYTES,
} from "./columns/account-row.ts";
export {
  assetRowColumns,
  assetRowProblems,
  checkedColumns,
  decodeAssetRow,
  encodeAssetRow,
  factColumns,
  foldName,
  interfaceNumber,
  jsonUriHash,
  ownerModelNumber,
} from "./columns/asset-row.ts";
export { decodeEditionRow, editionRowColumns } from "./columns/edition-row.ts";
export {
  parseLeafState,
  writeEndGroup,
  writeLeafGroup,
  writeLeafState,
  writeMetadataGroup,
} from "./columns/leaf-state-text.ts";
export {
  COPY_PAGE_DOCUMENTS,
  COPY_PAGE_ROWS,
  type CopyWalk,
  copyWalks,
  type WalkedTable,
} from "./columns/copy-walks.ts";
export { decodeStatusCounts, offchainCodec, offchainRowColumns } from "./columns/offchain-row.ts";
export {
  ledgerKindNumber,
  type PlainTable,
  plainTableColumns,
  plainTables,
  roleNumber,
} from "./columns/plain-tables.ts";
export { rowCodec } from "./columns/row-codec.ts";
export { u64FromColumn, u64ToColumn } from "./columns/u64-column.ts";
export { type Account, isOlderVersion } from "./domain/account.ts";
export { baseTokenAccount, type BaseTokenAccount } from "./domain/base-token-account.ts";
export { closedAccount } from "./domain/closed-account.ts";
export { batchLayout, batchRecordBytes, AccountBatch, accountAt } from "./domain/account-batch.ts";
export {
  type AccountFacts,
  deriveAccountFacts,
  type Holding,
  type NonCirculatingStake,
} from "./domain/account-facts.ts";
export { type AddressBytes, type Slot, commitments, type Commitment } from "./domain/address.ts";
export { AddressMap, AddressSet, hashAddress } from "./domain/address-map.ts";
export { decodeAssetCursor, encodeAssetCursor, unknownStartError } from "./domain/asset-cursor.ts";
export { placeIn } from "./paging/asset-place.ts";
export { cutPage, pageOf, type PageReader, type PageWindow } from "./paging/cut-page.ts";
export { countSql, matchSql, pageRows, pageSql, placeSql } from "./paging/page-sql.ts";
export { type PagePatch, patchPages } from "./paging/patch-page.ts";
export { atOnce, resultOf, waitFor, waitForResult } from "./paging/waits.ts";
export {
  assetInterfaces,
  type AssetInterface,
  type OwnerModel,
  type Creator,
  type Group,
  type AssetFacts,
  inheritable,
  type Inheritance,
  INHERITED_BASIS_POINTS,
  type Asset,
  type Ordinal,
  type StoredAsset,
} from "./domain/asset.ts";
export type { BankId, ChainEvent } from "./domain/chain-event.ts";
export type { GapFilling } from "./domain/gap-filling.ts";
export type { FillEvent } from "./domain/fill-event.ts";
export {
  coverageRequestKey,
  type CoverageRequest,
  isChangeable,
  newFilling,
  parseCoverageRequest,
  takeRequest,
  withChanges,
  withRequest,
  withTrees,
  writeCoverageRequest,
} from "./domain/coverage-request.ts";
export {
  type TreeCoverage,
  type Coverage,
  type FillingProgram,
  type FilteredCoverage,
  holdersNotIndexed,
  holdingsNotIndexed,
  type Watermark,
} from "./domain/coverage.ts";
export { type MasterEdition, type Edition } from "./domain/edition.ts";
export {
  amountHeld,
  byHolderOrder,
  type Holder,
  type HolderCount,
  type HolderOrder,
  holdersKey,
} from "./domain/holder.ts";
export {
  isNonCirculatingAt,
  isListedWithdrawer,
  isNonCirculatingAccount,
  nonCirculatingAccounts,
} from "./domain/non-circulating.ts";
export {
  type InheritedForm,
  inheritedForm,
  meetsByInheritance,
  sharersOf,
  sharingInterface,
} from "./domain/inherited-form.ts";
export {
  askedFacts,
  type AskedValue,
  type FactCriterion,
  factCriterion,
  factDescriptions,
  isFactCriterion,
} from "./domain/fact-criteria.ts";
export { factCellOf, factColumnOf } from "./columns/fact-column.ts";
export type { Column, ColumnForms, ColumnType } from "./columns/column.ts";
export { closedBitsOf } from "./domain/closed-criteria.ts";
export { closedCriteria, matchesCriterion, termKey, termKeysOf } from "./domain/criteria.ts";
export { isListCriterion, type ListCriterion } from "./domain/list-criteria.ts";
export { fungibleInterfaces, tokenTypes } from "./domain/token-types.ts";
export { askedRows, listTables } from "./columns/list-columns.ts";
export {
  decodeCoverage,
  decodeHeadRow,
  decodeTreeCoverage,
  headColumns,
  type HeadRow,
  INCOMPLETE_TREES_LISTED_MAX,
  treeCoverageColumns,
} from "./columns/head-row.ts";
export {
  DERIVATION,
  derivationKey as DERIVATION_KEY,
  type DerivationState,
  derivationStateOf,
  nextDerivationKey as NEXT_DERIVATION_KEY,
  type NextProgress,
  type NextRow,
  type SeenAsset,
  shareDone,
} from "./domain/derivation.ts";
export { ROWS_FORMAT, rowsFormatKey as ROWS_FORMAT_KEY } from "./domain/rows-format.ts";
export {
  type TokenType,
  type Criterion,
  type OwnerCriterion,
  needsHoldings,
  type SortKey,
  type PageStart,
  type AssetQuery,
  type SharedRecord,
  type AssetPage,
  type AssetPlace,
} from "./domain/search.ts";
export { type Instruction, type InstructionGroup, type Transaction } from "./domain/transaction.ts";
export {
  type ChangeId,
  isLater,
  type LeafGroup,
  type LeafState,
  type MetadataGroup,
} from "./domain/leaf-state.ts";
export {
  BLOCK_LEVELS,
  BLOCK_WIDTH,
  blockLevels,
  blockPlaceOf,
  NodeBlock,
  nodeBlockKey,
  type PathBlock,
  pathBlocks,
  TREE_DEPTH_MAX,
} from "./domain/node-block.ts";
export {
  nodeOfLeaf,
  type NodesState,
  nodesStateKey,
  parseNodesState,
  type TreeNode,
  writeNodesState,
} from "./domain/tree-node.ts";
export {
  type TreeState,
  emptyTreeState,
  parseTreeState,
  writeTreeState,
  withTreeNews,
  treeCoverageOf,
  isTreeComplete,
} from "./domain/tree-state.ts";
export { memoryBound, setUsableMemory } from "./budget/memory.ts";
export { contentParts } from "./content/content-parts.ts";
export { inheritsStart, inheritanceText, inheritsFrom, isInheriting, treeOf } from "./content/text-facts.ts";
export { contentText, joinContent, jsonUriOf } from "./content/content-text.ts";
export type { AssetExtras } from "./shaping/asset-extras.ts";
export { ItemCache, type ItemsOfState } from "./caching/item-cache.ts";
export { storeTallies } from "./caching/store-tallies.ts";
export { turns } from "./budget/turns.ts";
export {
  type DelegateQuery,
  type HolderQuery,
  type HoldingQuery,
  type LargestQuery,
  type LargestAccount,
  type StoredContent,
  type EditionStart,
  type WalletQuery,
} from "./ports/queries.ts";
export {
  packSeparator as PACK_SEPARATOR,
  packAssets,
  packContents,
  type PackedAssets,
  type PackedContent,
  type PackedContents,
  tooLarge as TOO_LARGE,
} from "./ports/packed-assets.ts";
export type { BulkEncoder, BulkLoad, EncodingOptions } from "./ports/bulk-load.ts";
export type { AssetWithEditions, DerivedAssets, DerivedLinks } from "./ports/derived-pages.ts";
export type { DerivedWrites, Encoded } from "./ports/derived-writes.ts";
export {
  type AccountState,
  linkRoles,
  type LinkRole,
  type Link,
  type AccountWrite,
  ledgerKinds,
  type LedgerKind,
  type LedgerState,
  type ChangeSet,
  emptyChangeSet,
  type CommitReceipt,
  type IndexReader,
  genesisKey,
  type DocumentStore,
  type HolderIndex,
  type IndexStore,
  type LogState,
  type LoggedStore,
  type NextSet,
  type CoverageRequests,
} from "./ports/index-store.ts";
export { documentQueueOf, gatewayQueues, HOST_NAME_CHARS_MAX, sanitizeUri } from "./domain/document-queue.ts";
export {
  type DueOrder,
  offchainRow,
  offchainStatuses,
  type OffchainStatus,
  type OffchainRow,
  type OffchainStore,
  type OrphansStep,
  type RefreshAge,
} from "./ports/offchain-store.ts";
export {
  type ReadHandlers,
  type MaybePromise,
  type Opening,
  type ReadView,
  type ViewSource,
  whenReady,
} from "./ports/read-view.ts";
export { LISTED_TOGETHER_BYTES_MAX } from "./ports/list-limits.ts";
export { ListedData } from "./ports/listed-data.ts";
export { NeedsSnapshot } from "./ports/needs-snapshot.ts";
export { NewestAnswered } from "./ports/newest-answered.ts";
export { sentStatements } from "./ports/sent-statements.ts";
export {
  type AnswerTo,
  type DelegatedPage,
  type EditionPage,
  type HolderPage,
  type LeafPath,
  type Read,
  type ReadKind,
  type ReadOf,
  reads,
} from "./ports/reads.ts";
export {
  type NumberedAsset,
  type StoreRows,
  type StoreTable,
  storeTables,
  type StoreHead,
  type StoreExport,
  type StoreImport,
} from "./ports/store-copy.ts";
export {
  REMOVALS_KEPT_CHANGES,
  type TermReader,
  type AssetPosition,
  type NumberedFacts,
  type BriefFacts,
  type BriefChange,
  type AssetChange,
} from "./ports/term-reader.ts";
export {
  type UnfinalizedSlot,
  type UnfinalizedChange,
  type UnfinalizedHead,
  type UnfinalizedState,
  type UnfinalizedWriter,
  type UnfinalizedReader,
} from "./ports/unfinalized-store.ts";
export { foreignJsonBounds, type JsonBounds, parseForeignJson } from "./json/foreign-json.ts";
export { type FinishedJson, JsonBytes } from "./json/json-bytes.ts";
export { JsonFloat, type JsonText, type JsonValue, storedJson } from "./json/json-text.ts";
export { ANSWER_BYTES_MAX, createMethodSettings, type MethodSettings } from "./methods/method-settings.ts";
export type { Call, Method } from "./methods/method.ts";
export { open, pause, read, readAll, rows, slice, type Steps } from "./methods/steps.ts";
export { readEditions } from "./methods/getNftEditions.ts";
export { listAssets, readSearch } from "./methods/searchAssets.ts";
export type { ItemAddition } from "./methods/shown-items.ts";
export { ShownAssets } from "./methods/shown-assets.ts";
export { noteTreesOfAbsence } from "./methods/incomplete-trees.ts";
export { assertNoAssetIsKnown } from "./methods/known-absence.ts";
export { isPlain } from "./shaping/shape-asset.ts";
export { assertListable } from "./methods/account-context.ts";
export { parseAssetAddress } from "./params/parse-params.ts";
export { assertOnePageStart, parseLimit, parsePage } from "./params/paging.ts";
export { parseSearchQuery } from "./params/search-query.ts";
export type { Profile } from "./profile/profile.ts";
export { CallRequest, LARGE_ACCOUNT_BYTES, type RoundObserver } from "./driver/call-request.ts";
export { masterAddressOf, masterEditionIn } from "./parsed/master-edition.ts";
export { answerJoined, joinStored, mintsNamedBy } from "./driver/joined-reads.ts";
export { shownRead } from "./driver/shown-read.ts";
export { joinAsset } from "./shaping/join-asset.ts";
export { nearestName } from "./params/nearest-name.ts";
export { floatDisplayText } from "./json/float-text.ts";
export { InexactNumber, parseExact } from "./json/parse-exact.ts";
export { memberTexts, objectText } from "./json/member-texts.ts";
export { listJson, objectWriter, plainText } from "./json/object-writer.ts";
export { writeJson } from "./json/write-json.ts";
export { mintNeededBy, parseAccount } from "./parsed/parse-account.ts";
export { isByNativeMint, tokenProgramOf } from "./parsed/token-program-of.ts";
export { readNullParams } from "./profile/profile.ts";
export { answerCall, callMethod, methodNames, methodTable } from "./driver/call-method.ts";
export { ContractMethods, methodNotFound } from "./driver/contract-methods.ts";
export type { Log } from "./ports/log.ts";
export { familyOf, type MetricFamily, type MetricValue } from "./ports/metric-family.ts";
export type { LiveStatus } from "./readiness/live-status.ts";
export {
  BEHIND_SLOTS_MAX,
  type FollowFacts,
  FOLLOWED_STALE_SECONDS_MAX,
  followReasons,
  judgeFollowing,
  judgeServing,
  type ServingVerdict,
  slotsBehind,
  type StoreTrouble,
  storeTroubles,
} from "./readiness/rules.ts";
export { type NewestSlot, SlotClock } from "./readiness/slot-clock.ts";
export {
  type Consensus,
  genesisCertificateAddress as GENESIS_CERTIFICATE_ADDRESS,
} from "./domain/consensus.ts";
export { SLOT_MS_FIRST, SLOTS_PER_SECOND_FIRST, SlotRate } from "./readiness/slot-rate.ts";
