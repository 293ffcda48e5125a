export { openArchiveSource } from "./archive/archive-source.ts";
export { decompress as decompressArchive } from "./archive/decompress.ts";
export { findSnapshotSources } from "./archive/find-archives.ts";
export { readArchive, type StoragePlace } from "./archive/read-archive.ts";
export { AccountHasher } from "./hash/account-hasher.ts";
export { ManifestParser } from "./manifest/parse-manifest.ts";
export type { SnapshotManifest } from "./manifest/snapshot-manifest.ts";
export type { MergeDone, MergeSettings, MergeTask } from "./merge/merge-messages.ts";
export { isBareRecord } from "./merge/partition-record.ts";
export { ThreadPool } from "./merge/thread-pool.ts";
export { mergeIn, type MergeOutcome, type RunMerge, SnapshotMerge } from "./prove/merge-snapshot.ts";
export type { SnapshotProof } from "./prove/prove-snapshot.ts";
export { accountsOf } from "./prove/winner-accounts.ts";
export {
  clearStage,
  type StagedSnapshot,
  type StageSelection,
  stageSnapshot,
} from "./stage/stage-snapshot.ts";
