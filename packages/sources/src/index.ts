export { type DumpFile, listDumpFiles } from "./dumps/list-dump-files.ts";
export {
  type BadDump,
  DEFAULT_DUMP_SLOT,
  type DumpBatch,
  type DumpOptions,
  type DumpProgress,
  readAccountDumps,
} from "./dumps/read-account-dumps.ts";
export { DumpFault, parseAccountDump } from "./dumps/parse-account-dump.ts";
export { parseTransactions } from "./transactions/parse-transaction.ts";
export { TransactionFault } from "./transactions/transaction-fault.ts";
export {
  type BadTransaction,
  readTransactionFiles,
  type TransactionBatch,
  type TransactionFileOptions,
} from "./transactions/read-transaction-files.ts";
export { createDirectoryFetcher, documentFileName } from "./offchain-json/directory-fetcher.ts";
export type { DocumentFetcher, FetchOutcome, Validators } from "./offchain-json/fetch-outcome.ts";
export { createNetworkFetcher, type NetworkFetcherOptions } from "./offchain-json/network-fetcher.ts";
export { offchainLimits, type OffchainLimits } from "./offchain-json/offchain-limits.ts";
export {
  type FetchReport,
  OffchainWorker,
  type OffchainWorkerOptions,
} from "./offchain-json/offchain-worker.ts";
export { parseArchiveName } from "./snapshot/archive/archive-name.ts";
export { type ArchiveSource, openArchiveSource } from "./snapshot/archive/archive-source.ts";
export { decompress as decompressArchive } from "./snapshot/archive/decompress.ts";
export { findSnapshotSources, type SnapshotSources } from "./snapshot/archive/find-archives.ts";
export {
  type ArchiveReader,
  type ArchiveReport,
  readArchive,
  type StoragePlace,
} from "./snapshot/archive/read-archive.ts";
export { AccountHasher, addLattice, LATTICE_BYTES } from "./snapshot/hash/account-hasher.ts";
export { ManifestParser } from "./snapshot/manifest/parse-manifest.ts";
export type { SnapshotManifest } from "./snapshot/manifest/snapshot-manifest.ts";
export type { MergeDone, MergeSettings, MergeTask } from "./snapshot/merge/merge-messages.ts";
export { isBareRecord } from "./snapshot/merge/partition-record.ts";
export { createPartitionMerger } from "./snapshot/merge/partition-merger.ts";
export { serveTasks, ThreadPool } from "./snapshot/merge/thread-pool.ts";
export {
  mergeIn,
  type MergeOptions,
  type MergeOutcome,
  type RunMerge,
  SnapshotMerge,
  type WinnerBatch,
} from "./snapshot/prove/merge-snapshot.ts";
export type { SnapshotProof } from "./snapshot/prove/prove-snapshot.ts";
export { accountsOf, batchOf } from "./snapshot/prove/winner-accounts.ts";
export {
  clearStage,
  type StagedSnapshot,
  type StageProgress,
  type StageSelection,
  stageSnapshot,
} from "./snapshot/stage/stage-snapshot.ts";
export { closedAccount } from "./rpc/account-row.ts";
export { parseEndpoint, type RpcEndpoint, socketEndpointOf } from "./rpc/endpoint.ts";
export type { FollowTargets } from "./rpc/follow-plan.ts";
export type { FillProgress, RpcBase, RpcOptions, RpcState } from "./rpc/rpc-options.ts";
export { RpcSource } from "./rpc/rpc-source.ts";
export type { AccountsFilter } from "./yellowstone/encode-request.ts";
export { parseServerAddress, type ServerAddress } from "./yellowstone/server-address.ts";
export { type Hole, HoleReader, type HoleReaderOptions } from "./yellowstone/hole-reader.ts";
export {
  type YellowstoneOptions,
  YellowstoneSource,
  type YellowstoneState,
} from "./yellowstone/yellowstone-source.ts";
