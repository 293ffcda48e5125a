// The state of a URI after an attempt.

import { offchainRow, type OffchainRow } from "@lamplight/core";
import type { FetchOutcome } from "./fetch-outcome.ts";
import { refetchAgeMsMin, retryDelayMs, varied } from "./retry-delay.ts";

export interface SettleOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** 0 to 1. */
  readonly random: number;
  /** Milliseconds after which a document that can change is requested again; null = when an asset that names it changes. */
  readonly refreshMs: number | null;
}

/** A URI that is due at once. */
export const newRow = (uri: string, nowMs: number): OffchainRow =>
  offchainRow(uri, { firstSeenMs: nowMs, dueMs: nowMs });

/**
 * Whether the document is requested again once an asset that names it has changed: a reveal keeps the URI and changes
 * its document. A document that was just fetched is not, nor is one that waits for a retry.
 */
export const isOld = (row: OffchainRow, nowMs: number): boolean =>
  !row.immutable && !waitsForRetry(row) && nowMs - (row.fetchedMs ?? nowMs) >= refetchAgeMsMin;

/** The date of a row without retries that are left is that of a refresh, so a change comes before it. */
const waitsForRetry = ({ status, attempts, dueMs }: OffchainRow): boolean =>
  dueMs !== null &&
  status !== "ok" &&
  (status === "pending" || retryDelayMs(status, attempts, null, 0) !== null);

/** The row after an attempt. A failure never removes a good document. */
export const settle = (row: OffchainRow, outcome: FetchOutcome, options: SettleOptions): OffchainRow => {
  const { nowMs, random } = options;
  const done = { fetchedMs: nowMs, attempts: 0, lastError: null };
  switch (outcome.kind) {
    case "document": {
      const { json, sha256, etag, lastModified, immutable } = outcome;
      const dueMs = immutable ? null : refreshAt(options);
      return { ...row, ...done, dueMs, status: "ok", json, sha256, etag, lastModified, immutable };
    }
    case "notModified":
      return { ...row, ...done, dueMs: row.immutable ? null : refreshAt(options), status: "ok" };
    case "failure": {
      const { status, reason, retryAfterMs, json } = outcome;
      const attempts = row.attempts + 1;
      const delayMs = json === null ? retryDelayMs(status, attempts, retryAfterMs, random) : null;
      const kept = json ?? row.json;
      // A document that was there once may come back.
      const lastMs = kept === null || row.immutable ? null : refreshAt(options);
      return {
        ...row,
        status,
        json: kept,
        fetchedMs: nowMs,
        attempts,
        lastError: reason,
        dueMs: delayMs === null ? lastMs : nowMs + delayMs,
      };
    }
  }
};

const refreshAt = ({ nowMs, random, refreshMs }: SettleOptions): number | null =>
  refreshMs === null ? null : nowMs + varied(refreshMs, random);
