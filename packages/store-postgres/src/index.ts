export { openPostgresBulkLoad, type PostgresBulkLoadOptions } from "./bulk/bulk-load.ts";
export { openPostgresExport } from "./copy/export-store.ts";
export { openPostgresImport } from "./copy/import-store.ts";
export { dropPostgresStore } from "./drop-postgres-store.ts";
export { openPostgresStore, type PostgresStoreOptions } from "./open-postgres-store.ts";
export {
  openPostgresReader,
  type PostgresReader,
  type PostgresReaderOptions,
} from "./reader/open-postgres-reader.ts";
export type { PostgresReadView } from "./reader/open-view.ts";
export type { TopAccountsBounds } from "./writes/write-top-accounts.ts";
