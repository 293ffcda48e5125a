import { offchainRow as rowOf, type OffchainRow } from "@lamplight/core";

/** A document that was not fetched yet. */
export const offchainRow = (uri: string, more: Partial<OffchainRow> = {}): OffchainRow =>
  rowOf(uri, { firstSeenMs: 1, dueMs: 1, ...more });
