// Bounds of this store, in one place.

/** Read views that can be open at once; each holds a session of its own. */
export const SESSIONS_MAX = 16;
/** How long `openView` waits for one of them. */
export const VIEW_WAIT_MS = 2000;
/** Requests that may wait for a view at once; beyond it they are refused without waiting. */
export const VIEW_QUEUE_MAX = 1024;
/** A server that does not answer a new session by then counts as unreachable. */
export const CONNECT_TIMEOUT_MS = 5000;
/** A connection on which nothing came for so long is looked after. */
export const KEEP_ALIVE_MS = 10_000;
/** What a reader waits for an answer beyond its longest statement: for those asked before it, and the way. */
export const REPLY_GRACE_MS = 10_000;
/** A server that does not answer a goodbye by then is left without one. */
export const CLOSE_GRACE_MS = 2000;
/**
 * The server ends a writer's session that gave no sign of life for so long, and with it its lock: a process may be
 * frozen instead of dead. Far beyond what the thread of a living one is ever held up.
 */
export const WRITER_SILENCE_MS = 60_000;
/** Openings for writing that the store remembers; a reader of what an older one wrote starts from scratch. */
export const WRITERS_KNOWN_MAX = 1000;
/** Between two looks after a writer's session, as a share of that. */
export const WATCHES_PER_SILENCE = 6;
/** Looks in a row by which a session that says nothing counts as lost. */
export const LOST_AFTER_LOOKS = 2;
/** How long a new writer waits for the one before it: the server may not have noticed yet that it is gone. */
export const LOCK_WAIT_MS = 2000;
/** Between two attempts to reach a server that is away: the first, and the longest, each less a random half. */
export const REOPEN_FIRST_MS = 100;
export const REOPEN_MAX_MS = 1000;
/** The longest statement of a reader. */
export const READ_STATEMENT_TIMEOUT_MS = 10_000;
/** A view that asks nothing for so long was forgotten; the server takes its session back. */
export const VIEW_IDLE_TIMEOUT_MS = 5 * 60_000;

/** Rows and bytes bound to one statement of a commit; more are sent as several. */
export const BULK_ROWS_MAX = 20_000;
export const BULK_BYTES_MAX = 64 * 1024 * 1024;

/** Bytes of what one unfinalized slot changes that go into one row; more take several. */
export const UNFINALIZED_PART_BYTES = 16 * 1024 * 1024;

/** Rows of the table of largest accounts: the set that filters may drop, plus at least this many. */
export const TOP_ACCOUNTS_SPARE = 10_000;
/** Rows beyond need and spare at which the floor is raised. */
export const TOP_ACCOUNTS_SLACK = 40_000;
/** Accounts looked at together while more of the largest are to be found; not in cache, each may be a read of its own. */
export const TOP_ACCOUNTS_PAGE_ROWS = 1000;
/** A commit that has looked at a page looks at another until so long was spent: a slot is 400 ms. */
export const TOP_ACCOUNTS_REFILL_MS = 30;
/**
 * Searches that one commit ends: one started before it, of which everything found may have fallen since, and one of its
 * own, of which nothing can.
 */
export const TOP_ACCOUNTS_SEARCHES_MAX = 2;
/** Rows of one page of a check. */
export const INTEGRITY_PAGE_ROWS = 5000;
/** Problems named by one check; more would only repeat the first. */
export const PROBLEMS_MAX = 100;
