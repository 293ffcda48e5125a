export { openPostgresBulkLoad } from "./bulk/bulk-load.ts";
export { openPostgresExport } from "./copy/export-store.ts";
export { openPostgresImport } from "./copy/import-store.ts";
export { distributePostgresStore } from "./distribute.ts";
export { dropPostgresStore } from "./drop-postgres-store.ts";
export { parsePostgresUrl } from "./engine/location.ts";
export { openPostgresStore, type PostgresIndexStore } from "./open-postgres-store.ts";
export { openPostgresReader, type PostgresReader } from "./reader/open-postgres-reader.ts";
export type { PostgresReadView } from "./reader/transaction-view.ts";
