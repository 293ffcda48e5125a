import { WRITER_CACHE_BYTES } from "../engine/settings.ts";

const cachePragma = (bytes: number): string => `cache_size = -${bytes / 1024}`;

/** Page caches of a load. Rows are written once and finished pages are read once, so larger ones do not help. */
export const writingCache: string = cachePragma(WRITER_CACHE_BYTES);
export const readingCache: string = cachePragma(2 * 1024 * 1024);

/** A failed load removes the file, so it needs neither a journal nor synchronous writes. */
export const bulkPragmas: readonly string[] = [
  "journal_mode = OFF",
  "synchronous = OFF",
  "locking_mode = EXCLUSIVE",
  writingCache,
  "mmap_size = 0",
  "temp_store = MEMORY",
  "trusted_schema = OFF",
];

/** Pages of the account table written at once. */
export const PAGES_PER_WRITE = 128;
/** Cells of one insert statement. */
export const BULK_STATEMENT_CELLS = 500;
/** Rows of one transaction. */
export const BULK_TRANSACTION_ROWS = 100_000;
/** Files that rows are sorted through: one per first byte. */
export const SPILL_PARTITIONS = 256;
export const SPILL_BUFFER_BYTES = 64 * 1024;
