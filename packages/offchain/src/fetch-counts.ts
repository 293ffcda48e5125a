import type { OffchainRow, OffchainStatus, OffchainStore } from "@lamplight/core";
import type { FetchOutcome } from "./fetch-outcome.ts";

/** Counts of a round of fetching. */
export interface FetchReport {
  readonly fetched: number;
  /** Documents that are new, or differ from the last version. */
  readonly changed: number;
  /** Attempts after which a document is failed or gone. */
  readonly failed: number;
}

/** How an attempt ended: with a document, without a change, or with the status of a failure. */
export type AttemptOutcome = "document" | "notModified" | Exclude<OffchainStatus, "pending" | "ok">;

/** Counts since the worker was created. */
export interface FetchCounts extends FetchReport {
  /** Attempts at a URI whose last one failed. */
  readonly retried: number;
  /** Rows of URIs that no asset names any more. */
  readonly pruned: number;
  readonly outcomes: Readonly<Record<AttemptOutcome, number>>;
  /** Number of URIs in each state; null before they were counted. */
  readonly states: Readonly<Record<OffchainStatus, number>> | null;
}

export class FetchCounter {
  readonly #counts = { fetched: 0, changed: 0, failed: 0, retried: 0, pruned: 0 };
  readonly #outcomes: Record<AttemptOutcome, number> = {
    document: 0,
    notModified: 0,
    notJson: 0,
    tooLarge: 0,
    refused: 0,
    failed: 0,
    gone: 0,
  };
  #states: Record<OffchainStatus, number> | null = null;

  get counts(): FetchCounts {
    return {
      ...this.#counts,
      outcomes: { ...this.#outcomes },
      states: this.#states === null ? null : { ...this.#states },
    };
  }

  /** Counts the rows in each state once. Afterwards the one writer of the rows knows what changes. */
  async countStates(store: Pick<OffchainStore, "countByStatus">): Promise<void> {
    this.#states ??= { ...(await store.countByStatus()) };
  }

  /** Outcomes that were counted are not in the store. */
  forgetStates(): void {
    this.#states = null;
  }

  notePruned(rows: number): void {
    this.#counts.pruned += rows;
    this.forgetStates();
  }

  noteNew(rows: number): void {
    if (this.#states !== null) this.#states.pending += rows;
  }

  noteAttempt(before: OffchainRow, outcome: FetchOutcome, after: OffchainRow): void {
    this.#outcomes[outcome.kind === "failure" ? outcome.status : outcome.kind] += 1;
    this.#counts.fetched += 1;
    if (before.attempts > 0) this.#counts.retried += 1;
    if (after.status === "failed" || after.status === "gone") this.#counts.failed += 1;
    if (after.json !== before.json) this.#counts.changed += 1;
    if (this.#states === null) return;
    this.#states[before.status] -= 1;
    this.#states[after.status] += 1;
  }
}
