import type { OffchainStatus } from "@lamplight/core";

export type FetchFailureStatus = Exclude<OffchainStatus, "pending" | "ok">;

/** The result of one attempt at a URI. */
export type FetchOutcome =
  | {
      readonly kind: "document";
      /** Minified, every digit kept. */
      readonly json: string;
      /** Hash of the decoded body. */
      readonly sha256: Uint8Array;
      readonly etag: string | null;
      readonly lastModified: string | null;
      /** Content-addressed: it can never change. */
      readonly immutable: boolean;
    }
  /** The server reports that our version is still current. */
  | { readonly kind: "notModified" }
  | {
      readonly kind: "failure";
      readonly status: FetchFailureStatus;
      readonly reason: string;
      /** The wait that the server requested; null when it did not. */
      readonly retryAfterMs: number | null;
      /** A document made for a body that is media. */
      readonly json: string | null;
    };

/** Validators of the last document, so that it is only sent when it changed. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A source of documents: the network, a folder, a test. */
export interface DocumentFetcher {
  /**
   * Makes one attempt within all bounds. Every fault of a server becomes an outcome.
   *
   * @throws the signal's reason when it aborts
   */
  fetch(uri: string, validators: Validators, signal: AbortSignal): Promise<FetchOutcome>;
  /** Milliseconds until `fetch` could send its first request; infinite while its hosts are busy. Absent = always 0. */
  startDelayMs?(uri: string): number;
  /** Concurrent attempts of a queue, as its hosts are configured. Absent = the defaults of `offchainLimits`. */
  placesOf?(queue: string): number;
}

export const failure = (
  status: FetchFailureStatus,
  reason: string,
  more: { readonly retryAfterMs?: number | null; readonly json?: string | null } = {},
): FetchOutcome => ({ kind: "failure", status, reason, retryAfterMs: null, json: null, ...more });

/** Internal to this folder: carries a failure out of a request. */
export class FetchFault extends Error {
  readonly outcome: FetchOutcome;
  constructor(status: FetchFailureStatus, reason: string, retryAfterMs: number | null = null) {
    super(reason);
    this.outcome = failure(status, reason, { retryAfterMs });
  }
}
