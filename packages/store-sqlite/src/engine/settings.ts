// Settings of the engine and the bounds of this store, in one place.

/** "LAMP": distinguishes our files from any other SQLite file. */
export const APPLICATION_ID = 0x4c_41_4d_50;

/** Pages of a new file. */
export const PAGE_BYTES = 8192;
/** How long the writer waits for a checkpoint or a recovery of another process. */
export const WRITER_BUSY_MS = 5000;
/** Readers never wait for the writer; this covers the moment in which another process recovers or removes the log. */
export const READER_BUSY_MS = 100;
export const WRITER_CACHE_BYTES = 256 * 1024 * 1024;
/** Pages the log grows by before they are moved into the file: random writes then meet on the same pages first. */
export const WRITER_LOG_PAGES = 16_384;
/** The same for a writer next to a checkpoint thread: only should that fail. */
export const WRITER_LOG_PAGES_MAX = 262_144;
/** Pages of the log at which the thread makes it restart: 1 GB, a third of a second to recover after a kill. */
export const CHECKPOINT_RESTART_PAGES = 131_072;
/** How long it waits for the readers of that moment; the writer waits with it. */
export const CHECKPOINT_BUSY_MS = 1000;
/**
 * States of accounts that the writer keeps at hand, half of them in each of two generations: what was written in the last
 * five to ten seconds, were every write of another account, and for longer what is written again and again. About 120 MB
 * of token accounts, 180 MB of accounts of a kilobyte, which are the largest kept.
 */
export const NEWEST_STATES_MAX = 131_072;
const READER_CACHE_BYTES = 64 * 1024 * 1024;
/** The cap of Node's build of SQLite. */
const READER_MMAP_BYTES = 2 * 1024 * 1024 * 1024 - 65_536;

/** Read views that can be open at once; each holds a connection of its own. */
export const READ_CONNECTIONS_MAX = 16;
/** Between two checks whether the path of a store still names the file that was opened, and that store. */
export const FILE_CHECK_MS = 1000;
/** How long `openView` waits for one of them. */
export const VIEW_WAIT_MS = 2000;
/** Requests that may wait for a view at once; beyond it they are refused without waiting. */
export const VIEW_QUEUE_MAX = 1024;

/** Rows of the table of largest accounts: the set that filters may drop, plus at least this many. */
export const TOP_ACCOUNTS_SPARE = 10_000;
/** Rows beyond need and spare at which the floor is raised. */
export const TOP_ACCOUNTS_SLACK = 40_000;
/** Rows of one page of a check. */
export const INTEGRITY_PAGE_ROWS = 5000;
/** Problems named by one check; more would only repeat the first. */
export const PROBLEMS_MAX = 100;

export const writerPragmas: readonly string[] = [
  "journal_mode = WAL",
  "synchronous = NORMAL",
  `cache_size = -${WRITER_CACHE_BYTES / 1024}`,
  "mmap_size = 0",
  `wal_autocheckpoint = ${WRITER_LOG_PAGES}`,
  // A log that had to grow, next to a view that stayed open, is cut again when it restarts.
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
