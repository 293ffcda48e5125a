// Due rows of a queue that were read ahead, so that a start needs no read of the store.

import type { DueOrder, OffchainRow, OffchainStore } from "@lamplight/core";

/** New mints, waiting mints, and retries take turns, so a flood of one kind gets a third of a queue. */
const orders: readonly DueOrder[] = ["newest", "oldest", "tried"];
/** Rows read ahead in each order. Retries may have a document of megabytes each. */
const pageRows: Readonly<Record<DueOrder, number>> = { newest: 32, oldest: 32, tried: 8 };
/** Characters of rows that all queues read ahead. Beyond it, a queue reads one row at a time. */
const READ_AHEAD_CHARS_MAX = 32 * 1024 * 1024;
/** Milliseconds for which an order of a queue without rows is not read again. New rows end it earlier. */
const EMPTY_MS = 5000;

/** Characters read ahead, of all queues of one scheduler. */
export interface ReadAhead {
  chars: number;
}

export class DueRows {
  readonly #queue: string;
  readonly #total: ReadAhead;
  readonly #rows: Record<DueOrder, OffchainRow[]> = { newest: [], oldest: [], tried: [] };
  /** When the order was read last without a row. */
  readonly #emptyAtMs: Record<DueOrder, number> = { newest: 0, oldest: 0, tried: 0 };
  /** Rows taken: the order changes with each. */
  #turns = 0;

  constructor(queue: string, total: ReadAhead) {
    this.#queue = queue;
    this.#total = total;
  }

  /** The next row, which stays until `take`; null where none is due. @param busy - URIs that were taken before */
  async peek(
    store: Pick<OffchainStore, "listDue">,
    nowMs: number,
    busy: ReadonlySet<string>,
  ): Promise<OffchainRow | null> {
    for (const step of orders.keys()) {
      const order = orders[(this.#turns + step) % orders.length]!;
      if (this.#rows[order].length === 0) await this.#read(store, order, nowMs, busy);
      const [row] = this.#rows[order];
      if (row !== undefined) return row;
    }
    return null;
  }

  take(row: OffchainRow): void {
    this.#turns += 1;
    this.#keep(({ uri }) => uri !== row.uri);
  }

  /** Rows were written in the meantime: those read ahead may be outdated. */
  forget(): void {
    this.#keep(() => false);
    for (const order of orders) this.#emptyAtMs[order] = 0;
  }

  async #read(
    store: Pick<OffchainStore, "listDue">,
    order: DueOrder,
    nowMs: number,
    busy: ReadonlySet<string>,
  ): Promise<void> {
    const sinceEmptyMs = nowMs - this.#emptyAtMs[order];
    if (sinceEmptyMs >= 0 && sinceEmptyMs < EMPTY_MS) return;
    const ahead = this.#total.chars < READ_AHEAD_CHARS_MAX ? pageRows[order] : 1;
    // More than the busy ones, because these are still due.
    const found = await store.listDue(this.#queue, nowMs, order, busy.size + ahead);
    const rows = found.filter(({ uri }) => !busy.has(uri)).slice(0, ahead);
    if (rows.length === 0) this.#emptyAtMs[order] = nowMs;
    this.#rows[order] = rows;
    this.#total.chars += charsOf(rows);
  }

  #keep(isKept: (row: OffchainRow) => boolean): void {
    for (const order of orders) {
      const before = this.#rows[order];
      const kept = before.filter(isKept);
      this.#total.chars += charsOf(kept) - charsOf(before);
      this.#rows[order] = kept;
    }
  }
}

const charsOf = (rows: readonly OffchainRow[]): number =>
  rows.reduce((sum, { uri, json }) => sum + uri.length + (json?.length ?? 0), 0);
