// Settings of the engine and the bounds of this store, in one place.

/** "LAMP": distinguishes our files from any other SQLite file. */
export const APPLICATION_ID = 0x4c_41_4d_50;

/** Pages of a new file. */
export const PAGE_BYTES = 8192;
/** Milliseconds for which the writer waits for a checkpoint or a recovery of another process. */
export const WRITER_BUSY_MS = 5000;
/** Readers never wait for the writer. This covers the time in which another process recovers or removes the log. */
export const READER_BUSY_MS = 100;
/** Milliseconds for which a write of documents blocks its process while another process commits. */
export const DOCUMENTS_BUSY_MS = 20;
/** Milliseconds between two attempts to write documents while another process commits. */
export const DOCUMENTS_RETRY_MS = 50;
/** Milliseconds after which a write of documents gives up. A commit of a load may take minutes. */
export const DOCUMENTS_WAIT_MS = 10 * 60_000;
/** A command that asks for another coverage waits so long for a commit of the writer. */
export const COVERAGE_BUSY_MS = 60_000;
const DOCUMENTS_CACHE_BYTES = 32 * 1024 * 1024;
export const WRITER_CACHE_BYTES = 256 * 1024 * 1024;
/** Pages of the log before a checkpoint. Random writes then often share pages. */
export const WRITER_LOG_PAGES = 16_384;
/** The same for a writer with a checkpoint thread, in case the thread fails. */
export const WRITER_LOG_PAGES_MAX = 262_144;
/**
 * Pages of the log at which the thread makes it restart: 1 GB, which takes a third of a second to recover after a
 * crash.
 */
export const CHECKPOINT_RESTART_PAGES = 131_072;
/** Milliseconds for which the restart waits for current readers. The writer waits too. */
export const CHECKPOINT_BUSY_MS = 1000;
/** Milliseconds until the thread tries pages again that the disk refused, where no commit comes before. */
export const CHECKPOINT_RETRY_MS = 10_000;
/**
 * States of accounts in the writer's cache, half of them in each of two generations. They cover the writes of the
 * last five to ten seconds, and accounts that are written often for longer. They take about 120 MB for token
 * accounts, and 180 MB for accounts of a kilobyte, the largest kept.
 */
export const NEWEST_STATES_MAX = 131_072;
const READER_CACHE_BYTES = 64 * 1024 * 1024;
/** The limit of Node's build of SQLite. */
const READER_MMAP_BYTES = 2 * 1024 * 1024 * 1024 - 65_536;

/** Read views that can be open at once; each has its own connection. */
export const READ_CONNECTIONS_MAX = 16;
/** Milliseconds between two checks whether the path of a store still names the file that was opened, and that store. */
export const FILE_CHECK_MS = 1000;
/** Milliseconds for which `openView` waits for one of them. */
export const VIEW_WAIT_MS = 2000;
/** Requests that may wait for a view at once; beyond it they are refused without waiting. */
export const VIEW_QUEUE_MAX = 1024;

/** Rows of the table of largest accounts: the set that filters may drop, plus at least this many. */
export const TOP_ACCOUNTS_SPARE = 10_000;
/** Rows beyond these at which the floor is raised. */
export const TOP_ACCOUNTS_SLACK = 40_000;
/** Rows of one page of a check. */
export const INTEGRITY_PAGE_ROWS = 5000;
/** Problems reported by one check. More would repeat the first. */
export const PROBLEMS_MAX = 100;

export const writerPragmas: readonly string[] = [
  "journal_mode = WAL",
  "synchronous = NORMAL",
  `cache_size = -${WRITER_CACHE_BYTES / 1024}`,
  "mmap_size = 0",
  `wal_autocheckpoint = ${WRITER_LOG_PAGES}`,
  // A log that grew during a long view is truncated when it restarts.
  `journal_size_limit = ${CHECKPOINT_RESTART_PAGES * PAGE_BYTES}`,
  "temp_store = MEMORY",
  "trusted_schema = OFF",
];

/** The log is shared with the writer of the store. Either one checkpoints it. */
export const documentsPragmas: readonly string[] = [
  "synchronous = NORMAL",
  `cache_size = -${DOCUMENTS_CACHE_BYTES / 1024}`,
  "mmap_size = 0",
  `wal_autocheckpoint = ${WRITER_LOG_PAGES}`,
  `journal_size_limit = ${CHECKPOINT_RESTART_PAGES * PAGE_BYTES}`,
  "temp_store = MEMORY",
  "trusted_schema = OFF",
];

export const readerPragmas: readonly string[] = [
  `cache_size = -${READER_CACHE_BYTES / 1024}`,
  `mmap_size = ${READER_MMAP_BYTES}`,
  "temp_store = MEMORY",
  "trusted_schema = OFF",
  "query_only = ON",
];
