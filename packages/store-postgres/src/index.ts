export { openPostgresBulkLoad, type PostgresBulkLoadOptions } from "./bulk/bulk-load.ts";
export { openPostgresExport } from "./copy/export-store.ts";
export { openPostgresImport } from "./copy/import-store.ts";
export { type DistributionReport, distributePostgresStore } from "./schema/distribute.ts";
export { dropPostgresStore } from "./drop-postgres-store.ts";
export {
  openPostgresStore,
  type PostgresIndexStore,
  type PostgresStoreOptions,
} from "./open-postgres-store.ts";
export {
  openPostgresReader,
  type PostgresReader,
  type PostgresReaderOptions,
} from "./reader/open-postgres-reader.ts";
export type { PostgresReadView } from "./reader/open-view.ts";
export type { TopAccountsBounds } from "./writes/write-top-accounts.ts";
