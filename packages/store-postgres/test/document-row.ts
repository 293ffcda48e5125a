import type { OffchainRow } from "@lamplight/core";

/** A document that was fetched once. */
export const documentRow = (uri: string, json: string | null): OffchainRow => ({
  uri,
  status: "ok",
  json,
  sha256: null,
  etag: null,
  lastModified: null,
  immutable: false,
  firstSeenMs: 1,
  fetchedMs: 2,
  dueMs: null,
  attempts: 1,
  lastError: null,
});
