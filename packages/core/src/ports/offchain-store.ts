import type { MaybePromise } from "../domain/address.ts";

/**
 * What became of a URI: never tried · JSON is there · the body is something else (an image counts as its own
 * document) · too large or too deep · against the rules for URIs · the network or the server failed · the server says
 * there is nothing.
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
export type OffchainStatus = (typeof offchainStatuses)[number];

/** State of one URI, shared by all assets that name it. Times are milliseconds since 1970. */
export interface OffchainRow {
  /** As assets carry it (`AssetFacts.jsonUri`). */
  readonly uri: string;
  readonly status: OffchainStatus;
  /** The last good document, minified, every digit kept; a failed refetch never removes it. */
  readonly json: string | null;
  /** Of the body as sent, decoded; null until there was one. */
  readonly sha256: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The document is content-addressed and never fetched again once it is there. */
  readonly immutable: boolean;
  readonly firstSeenMs: number;
  readonly fetchedMs: number | null;
  /** When it is due; null = not before it is asked for again. */
  readonly dueMs: number | null;
  /** Attempts since the last success or request, 0 to a few. */
  readonly attempts: number;
  /** Short words for people. */
  readonly lastError: string | null;
}

/**
 * Rows of one queue in the order they are started: `newest` and `oldest` of those never tried, by when they were first
 * seen; `tried` ones by the time they are due.
 */
export type DueOrder = "newest" | "oldest" | "tried";

/**
 * Where the fetcher keeps what it knows, apart from chain state, which never depends on the network. Assets show a
 * document as soon as it is written: it is joined when they are read. One writer.
 */
export interface OffchainStore {
  /** Same order as asked. */
  readRows(uris: readonly string[]): MaybePromise<readonly (OffchainRow | null)[]>;
  /** Inserts or replaces by URI, all or nothing. */
  writeRows(rows: readonly OffchainRow[]): MaybePromise<void>;
  /** Rows of a queue (`documentQueueOf`) that are due at `nowMs`. */
  listDue(queue: string, nowMs: number, order: DueOrder, limit: number): MaybePromise<readonly OffchainRow[]>;
  /**
   * The first queue after `after`, in the order of the names' bytes, in which a row has a date, with the earliest of
   * these dates; null where there is none. "" is before all names.
   */
  findQueueAfter(after: string): MaybePromise<{ readonly queue: string; readonly dueMs: number } | null>;
  /** Earliest time any row is due; null when none is. */
  findNextDue(): MaybePromise<number | null>;
  countByStatus(): MaybePromise<Readonly<Record<OffchainStatus, number>>>;
  /** Change counter of the store's assets up to which URIs were noted; 0 at first. */
  readNotedSeq(): MaybePromise<number>;
  writeNotedSeq(changeSeq: number): MaybePromise<void>;
}
