// Bounds of this store, in one place.

/** Read views that can be open at once; each holds a session of its own. */
export const SESSIONS_MAX = 16;
/** Milliseconds for which `openView` waits for one of them. */
export const VIEW_WAIT_MS = 2000;
/** Requests that may wait for a view at once; beyond it they are refused without waiting. */
export const VIEW_QUEUE_MAX = 1024;
/** Timeout of a new session; then the server counts as unreachable. */
export const CONNECT_TIMEOUT_MS = 5000;
/** A connection without any message for so long is checked. */
export const KEEP_ALIVE_MS = 10_000;
/**
 * Milliseconds that a reader waits for an answer in addition to its longest statement: for earlier statements and the
 * network.
 */
export const REPLY_GRACE_MS = 10_000;
/** Timeout of a goodbye message. */
export const CLOSE_GRACE_MS = 2000;
/** Time after which the writer of a shard tries the node of Citus again that it could not use. */
export const NODE_RETRY_MS = 60_000;
/**
 * The server ends a writer's session without a sign of life for so long, and releases its lock, because a process may
 * be frozen. A living process is never blocked nearly that long.
 */
export const WRITER_SILENCE_MS = 60_000;
/** Openings for writing that the store remembers. A reader of older data starts from scratch. */
export const WRITERS_KNOWN_MAX = 1000;
/** Interval of the checks of a writer's session, as a share of that. */
export const WATCHES_PER_SILENCE = 6;
/** Checks in a row after which a silent session counts as lost. */
export const LOST_AFTER_CHECKS = 2;
/**
 * Milliseconds for which a new writer waits for the previous one, because the server may not have noticed its end yet.
 */
export const LOCK_WAIT_MS = 2000;
/**
 * Milliseconds between two attempts to reach the server: the first wait, and the longest. A random half is subtracted.
 */
export const REOPEN_FIRST_MS = 100;
export const REOPEN_MAX_MS = 1000;
/** The longest statement of a reader. */
export const READ_STATEMENT_TIMEOUT_MS = 10_000;
/** A view that sends no statement for so long counts as forgotten, and the server ends its session. */
export const VIEW_IDLE_TIMEOUT_MS = 5 * 60_000;

/**
 * Stored data of a delegate's accounts and their mints that one statement brings. Several times what 1,023 usual ones
 * have; a creator decides how long a mint is.
 */
export const DELEGATED_BYTES_MAX = 8 * 1024 * 1024;

/** Accounts with more stored data than a list brings together are read in groups of so many, which hold 32 MiB at most. */
export const LARGE_GROUP_ROWS = 128;
/** Stored data of one of them. Longer ones are read one by one. */
export const LARGE_GROUP_BYTES_MAX = 256 * 1024;

/** Milliseconds between two polls of the role and the slot of a server of several. */
export const SERVER_POLL_MS = 500;
/** A server that does not answer a poll for so long is left, with all that reads from it. */
export const SERVER_SILENCE_MS = 3000;
/** Slots between a server and the newest of the others, beyond which it is not read. */
export const REPLICA_LAG_SLOTS_MAX = 32;
/** A standby that was left is read again after it was at most `REPLICA_RETURN_SLOTS` behind for so many milliseconds. */
export const REPLICA_RETURN_MS = 5000;
export const REPLICA_RETURN_SLOTS = 4;
/** Milliseconds for which a view waits for the server that it is read from to reach what was answered before. */
export const REPLICA_PATIENCE_MS = 300;
/** Milliseconds between two attempts in that time. */
export const REPLICA_PAUSE_MS = 20;
/**
 * Milliseconds after which servers count as restored: none has what was answered before, and one accepts writes. Until
 * then, nothing older is answered.
 */
export const RESTORED_AFTER_MS = 60_000;

/** Attempts to find out whether a pooler keeps the session of a writer. */
export const POOLER_PROBES = 4;

/** Rows and bytes bound to one statement of a commit; more are sent as several. */
export const BULK_ROWS_MAX = 20_000;
export const BULK_BYTES_MAX = 64 * 1024 * 1024;

/** Bytes per row of an unfinalized slot's changes. More take several rows. */
export const UNFINALIZED_PART_BYTES = 16 * 1024 * 1024;

/** Rows of the table of largest accounts: the set that filters may drop, plus at least this many. */
export const TOP_ACCOUNTS_SPARE = 10_000;
/** Rows beyond these at which the floor is raised. */
export const TOP_ACCOUNTS_SLACK = 40_000;
/** Accounts per read while more of the largest are searched. Uncached, each may be a disk read. */
export const TOP_ACCOUNTS_PAGE_ROWS = 1000;
/** A commit that has read a page reads further ones until so long was spent: much less than a slot takes. */
export const TOP_ACCOUNTS_REFILL_MS = 30;
/**
 * Searches that one commit completes: one started earlier, whose results may all have fallen since, and one of its
 * own, whose results cannot.
 */
export const TOP_ACCOUNTS_SEARCHES_MAX = 2;
/** Rows of one page of a check. */
export const INTEGRITY_PAGE_ROWS = 5000;
/** Problems reported by one check. More would repeat the first. */
export const PROBLEMS_MAX = 100;
