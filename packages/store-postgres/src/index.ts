export { openPostgresBulkLoad } from "./bulk/bulk-load.ts";
export { type CopiedAccounts, copyAccounts } from "./bulk/copied-accounts.ts";
export {
  type CopiedAssets,
  type CopiedLinks,
  copyAssets,
  copyLinks,
  placeAssets,
} from "./bulk/copied-assets.ts";
export type { DatabaseLoad } from "./bulk/database-load.ts";
export { packRows } from "./bulk/pack-rows.ts";
export { openPostgresExport } from "./copy/export-store.ts";
export { openPostgresImport } from "./copy/import-store.ts";
export { dropPostgresStore } from "./drop-postgres-store.ts";
export { parsePostgresUrl } from "./engine/location.ts";
export { type KeyTexts, type KeyUse, PostgresKeyTables } from "./keys/key-tables.ts";
export { openPostgresStore, type PostgresIndexStore } from "./open-postgres-store.ts";
export { openPostgresDocuments } from "./offchain/open-postgres-documents.ts";
export { readPostgresCoverageRequest, requestPostgresCoverage } from "./request-coverage.ts";
export { planPostgresMigration } from "./schema/plan-migration.ts";
export { readUnfinalizedHead } from "./queries/read-unfinalized.ts";
export { openPostgresReader } from "./reader/open-postgres-reader.ts";
export type { PostgresReader, ServerReport } from "./reader/postgres-reader.ts";
export type { TransactionView } from "./reader/postgres-view.ts";
export { type Counters, PostgresCoordinator } from "./shards/coordinator-store.ts";
export {
  type DeltaHead,
  readStarted,
  readDeltaHead,
  readDeltas,
  type StoredDelta,
} from "./shards/delta-tables.ts";
export { ShardChanges } from "./shards/shard-changes.ts";
export {
  countEditionsWithout,
  findEditionWithout,
  listAssetsByOrdinal,
  listEditionsWithout,
  listEveryHolding,
  listTokenOrdinals,
} from "./shards/shard-reads.ts";
export { openShardExports } from "./shards/shard-exports.ts";
export { openShardImports, openShardLoads } from "./shards/shard-places.ts";
export {
  assertShard,
  assertStoreOfShards,
  type ExpectedRows,
  type ShardPlace,
} from "./shards/shard-place.ts";
export { ShardSession } from "./shards/shard-session.ts";
export { ShardWriter } from "./shards/shard-writer.ts";
export type { NumberedRemoval, ShardRows } from "./shards/write-numbered.ts";
