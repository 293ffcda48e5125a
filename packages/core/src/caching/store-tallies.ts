/**
 * Counts of what the readers of stores did in this thread, for metrics. There is one object for each thread, like its event loop: a
 * process serves one store, and its readers share no other owner.
 */
export interface StoreTallies {
  /** Items of pages that were found in a cache, and those that were not. */
  cachedItems: number;
  uncachedItems: number;
  /** Sessions of a database that are open now. */
  sessions: number;
  sessionsOpened: number;
  /** Attempts to open a session that failed. */
  sessionFailures: number;
  /** Callers that waited for a session, and those of them that got none in time. */
  sessionWaits: number;
  sessionTimeouts: number;
}

/** The object of this thread. */
export const storeTallies: StoreTallies = {
  cachedItems: 0,
  uncachedItems: 0,
  sessions: 0,
  sessionsOpened: 0,
  sessionFailures: 0,
  sessionWaits: 0,
  sessionTimeouts: 0,
};
