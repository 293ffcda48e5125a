import { offchainRow, type OffchainRow } from "@lamplight/core";

/** A document that was fetched once. */
export const documentRow = (uri: string, json: string | null): OffchainRow =>
  offchainRow(uri, { status: "ok", json, firstSeenMs: 1, fetchedMs: 2, attempts: 1 });
