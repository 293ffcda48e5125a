// Outcomes are written together: a store takes many rows in the time of one, and its other writer is interrupted less
// often.

import { setTimeout as sleep } from "node:timers/promises";
import type { OffchainRow, OffchainStore } from "@lamplight/core";

/** Bounds of what one transaction writes. */
const BATCH_ROWS_MAX = 256;
const BATCH_CHARS_MAX = 4 * 1024 * 1024;
/** Rows and characters that wait to be written. Beyond either, no further attempt should start. */
const WAITING_ROWS_MAX = 1024;
const WAITING_CHARS_MAX = 32 * 1024 * 1024;
/** Milliseconds between two transactions, in which the next rows gather and others write. */
const PAUSE_MS = 20;

export class RowWrites {
  readonly #store: Pick<OffchainStore, "writeRows">;
  readonly #onEnd: (rows: readonly OffchainRow[], isWritten: boolean) => void;
  #waiting: OffchainRow[] = [];
  #chars = 0;
  #writing: Promise<void> | null = null;
  #error: unknown = null;

  /** @param onEnd - called with all rows that were added, after their transaction or without one */
  constructor(
    store: Pick<OffchainStore, "writeRows">,
    onEnd: (rows: readonly OffchainRow[], isWritten: boolean) => void,
  ) {
    this.#store = store;
    this.#onEnd = onEnd;
  }

  get isFull(): boolean {
    return this.#waiting.length >= WAITING_ROWS_MAX || this.#chars >= WAITING_CHARS_MAX;
  }

  add(row: OffchainRow): void {
    this.#waiting.push(row);
    this.#chars += charsOf(row);
    this.#writing ??= this.#writeAll();
  }

  /** @throws what the store threw since the last call; its rows are lost, and stay due */
  assertWritten(): void {
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error;
  }

  /** Resolves when nothing waits. @throws as `assertWritten` */
  async drain(): Promise<void> {
    await this.#writing;
    this.assertWritten();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const rows = this.#takeBatch();
      try {
        await this.#store.writeRows(rows);
        this.#onEnd(rows, true);
      } catch (error) {
        this.#error = error;
        this.#onEnd([...rows, ...this.#waiting], false);
        this.#waiting = [];
        this.#chars = 0;
      }
      await sleep(PAUSE_MS);
    }
    this.#writing = null;
  }

  #takeBatch(): readonly OffchainRow[] {
    let [rows, chars] = [0, 0];
    while (rows < Math.min(this.#waiting.length, BATCH_ROWS_MAX) && (rows === 0 || chars < BATCH_CHARS_MAX)) {
      chars += charsOf(this.#waiting[rows]!);
      rows += 1;
    }
    const batch = this.#waiting.slice(0, rows);
    this.#waiting = this.#waiting.slice(rows);
    this.#chars -= chars;
    return batch;
  }
}

const charsOf = ({ uri, json }: OffchainRow): number => uri.length + (json?.length ?? 0);
