import type { OffchainStatus } from "@lamplight/core";

export type FetchFailureStatus = Exclude<OffchainStatus, "pending" | "ok">;

/** How one attempt at a URI ended. */
export type FetchOutcome =
  | {
      readonly kind: "document";
      /** Minified, every digit kept. */
      readonly json: string;
      /** Of the body, decoded. */
      readonly sha256: Uint8Array;
      readonly etag: string | null;
      readonly lastModified: string | null;
      /** Content-addressed: can never differ. */
      readonly immutable: boolean;
    }
  /** The server says that what we have is still what it has. */
  | { readonly kind: "notModified" }
  | {
      readonly kind: "failure";
      readonly status: FetchFailureStatus;
      readonly reason: string;
      /** What the server asked us to wait; null when it did not. */
      readonly retryAfterMs: number | null;
      /** A document made for a body that is media. */
      readonly json: string | null;
    };

/** What the last document came with, to be asked for only when it changed. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Where documents come from: the network, a folder, a test. */
export interface DocumentFetcher {
  /**
   * One attempt, every bound kept. Answers an outcome for anything that strangers do.
   *
   * @throws the signal's reason when it aborts
   */
  fetch(uri: string, validators: Validators, signal: AbortSignal): Promise<FetchOutcome>;
  /** Milliseconds until `fetch` could send its first request; infinite while its hosts are busy. Absent = always 0. */
  startDelayMs?(uri: string): number;
}

export const failure = (
  status: FetchFailureStatus,
  reason: string,
  more: { readonly retryAfterMs?: number | null; readonly json?: string | null } = {},
): FetchOutcome => ({ kind: "failure", status, reason, retryAfterMs: null, json: null, ...more });

/** Carries a failure out of the depths of a request; never leaves this folder. */
export class FetchFault extends Error {
  readonly outcome: FetchOutcome;
  constructor(status: FetchFailureStatus, reason: string, retryAfterMs: number | null = null) {
    super(reason);
    this.outcome = failure(status, reason, { retryAfterMs });
  }
}
