export { assertSqliteStoreFile } from "./assert-store-file.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";
export { openSqliteDocuments } from "./offchain/open-sqlite-documents.ts";
export {
  openSqliteReader,
  type SqliteReader,
  type SqliteReaderOptions,
} from "./reader/open-sqlite-reader.ts";
export type { SqliteReadView } from "./reader/read-connection.ts";
export type { TopAccountsBounds } from "./writes/write-top-accounts.ts";
export { type BulkLoadOptions, openBulkLoad } from "./bulk/bulk-load.ts";
export { readSqliteCoverageRequest, requestSqliteCoverage } from "./request-coverage.ts";
export { planSqliteMigration } from "./schema/plan-migration.ts";
export { openSqliteExport } from "./copy/export-store.ts";
export { openSqliteImport } from "./copy/import-store.ts";
export { type BackupOptions, backupSqliteStore } from "./copy/backup-store.ts";
