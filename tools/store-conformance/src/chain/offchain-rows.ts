import type { OffchainRow } from "@lamplight/core";

/** A document that was not fetched yet. */
export const offchainRow = (uri: string, more: Partial<OffchainRow> = {}): OffchainRow => ({
  uri,
  status: "pending",
  json: null,
  sha256: null,
  etag: null,
  lastModified: null,
  immutable: false,
  firstSeenMs: 1,
  fetchedMs: null,
  dueMs: 1,
  attempts: 0,
  lastError: null,
  ...more,
});
