/**
 * State of a URI. `pending`: never requested. `ok`: its JSON is stored. `notJson`: the body is something else (an image
 * is its own document). `tooLarge`: too many bytes or levels. `refused`: the rules for URIs forbid the request.
 * `failed`: the network or the server failed. `gone`: the server answered that there is nothing.
 */
export const offchainStatuses = [
  "pending",
  "ok",
  "notJson",
  "tooLarge",
  "refused",
  "failed",
  "gone",
] as const;
/** One of these states. */
export type OffchainStatus = (typeof offchainStatuses)[number];

/** State of one URI, shared by all assets that name it. Times are milliseconds since 1970. */
export interface OffchainRow {
  /** The URI as assets carry it (`AssetFacts.jsonUri`). */
  readonly uri: string;
  /** Outcome of the newest request. */
  readonly status: OffchainStatus;
  /** The last good document, minified, every digit kept; a failed refetch never removes it. */
  readonly json: string | null;
  /** Hash of the decoded body; null before the first body. */
  readonly sha256: Uint8Array | null;
  /** Header `ETag` of that body. */
  readonly etag: string | null;
  /** Header `Last-Modified` of that body. */
  readonly lastModified: string | null;
  /** Whether the URI names its content by hash. Such a document is requested only until it is stored. */
  readonly immutable: boolean;
  /** Time at which an asset first named the URI. */
  readonly firstSeenMs: number;
  /** When the newest body arrived; null before the first. */
  readonly fetchedMs: number | null;
  /** Time of the next request; null = none until an asset names the URI again. */
  readonly dueMs: number | null;
  /** Attempts since the last success or request, 0 to a few. */
  readonly attempts: number;
  /** Reason why the newest request failed, in a few words; null after a success. */
  readonly lastError: string | null;
}

/** A document that was never requested and is not to be, unless `known` says otherwise. */
export const offchainRow = (uri: string, known: Partial<OffchainRow> = {}): OffchainRow => ({
  uri,
  status: "pending",
  json: null,
  sha256: null,
  etag: null,
  lastModified: null,
  immutable: false,
  firstSeenMs: 0,
  fetchedMs: null,
  dueMs: null,
  attempts: 0,
  lastError: null,
  ...known,
});

/**
 * Rows of one queue in the order they are started: `newest` and `oldest` of those never tried, by when they were first
 * seen; `tried` ones by the time they are due.
 */
export type DueOrder = "newest" | "oldest" | "tried";

/** Time between a request for a document and the next one. */
export interface RefreshAge {
  /** Milliseconds of a new date. */
  readonly ms: number;
  /** Milliseconds of the latest date that is kept. */
  readonly msMax: number;
}

/** The result of one step of a walk over all documents. */
export interface OrphansStep {
  /** Number of rows removed. */
  readonly removed: number;
  /** The place to continue from; null at the end. */
  readonly after: string | null;
}

/**
 * Off-chain documents and the state of their URIs. They are separate from chain state, which never depends on the
 * network. A document is joined when an asset is read, so assets show it as soon as it is written. One writer.
 */
export interface OffchainStore {
  /** Rows by URI in the order of `uris`; null for an unknown one. */
  readRows(uris: readonly string[]): Promise<readonly (OffchainRow | null)[]>;
  /** Inserts or replaces by URI, all or nothing. */
  writeRows(rows: readonly OffchainRow[]): Promise<void>;
  /** Rows of a queue (`documentQueueOf`) that are due at `nowMs`. */
  listDue(queue: string, nowMs: number, order: DueOrder, limit: number): Promise<readonly OffchainRow[]>;
  /**
   * The first queue after `after` with a row that is due at some time, and the earliest such time. Null where there is
   * none. Queues are in the order of their names' bytes; "" is before all of them.
   */
  findQueueAfter(after: string): Promise<{ readonly queue: string; readonly dueMs: number } | null>;
  /** Earliest time any row is due; null when none is. */
  findNextDue(): Promise<number | null>;
  /** Number of rows in each state. */
  countByStatus(): Promise<Readonly<Record<OffchainStatus, number>>>;
  /**
   * Reads up to `limit` rows after a place, null = from the first, and removes those that no asset names and that were
   * first seen before `beforeMs`. Assets above the finalized slot do not count: their URIs get new rows. Answers the
   * place to continue from; null at the end. A few rows that number others may stay. Absent in a store whose documents do not
   * lie with its assets.
   */
  removeOrphans?(after: string | null, limit: number, beforeMs: number): Promise<OrphansStep>;
  /**
   * Reads up to `limit` rows after a place, null = from the first. Gives those a date whose document can change, and that
   * have none, or one that is later than `refresh` allows. The date of a retry stays.
   *
   * @returns the place to continue from; null at the end
   */
  dateRefreshes(after: string | null, limit: number, refresh: RefreshAge): Promise<string | null>;
  /** Change counter of the assets up to which URIs have rows; 0 at first. */
  readNotedSeq(): Promise<number>;
  /** Replaces it, after the rows are written. */
  writeNotedSeq(changeSeq: number): Promise<void>;
}
