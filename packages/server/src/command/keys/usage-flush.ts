import type { StoredKey } from "../../gate/key-account.ts";
import {
  cellOf,
  DAY_REQUESTS,
  DAY_UNITS,
  dayOf,
  hourNow,
  KeyCells,
  type KeyCellsMemory,
  requestsOf,
  ROW_CELLS,
  SUMS_DAY,
  unitsOf,
  USAGE_FLUSH_MS,
} from "../../gate/key-cells.ts";
import { meteredNames } from "../../key-store/key-costs.ts";
import type { DayUse, UsageRow, UsageStore } from "../../key-store/key-store.ts";
import type { Log } from "../../log/log.ts";

/** Rows that wait while they cannot be written. Beyond it they are dropped, with an error in the log. */
const PENDING_ROWS_MAX = 500_000;

/** Hours for which calls are kept by hour. */
const KEPT_HOURS = 92 * 24;

type Pending = { -readonly [Member in keyof UsageRow]: UsageRow[Member] };

/** The sums of the day, by slot. */
type DayCells = ReadonlyMap<number, readonly [requests: number, units: number]>;

/** Moves counts of keys from memory to their store, and the sums of the day back, which other processes add to. */
export class UsageFlush {
  readonly #store: UsageStore;
  readonly #log: Log;
  readonly #cells: KeyCells;
  readonly #changed: Int32Array;
  /** The counts that rows were made of, by cell. */
  readonly #seen = new Float64Array(ROW_CELLS);
  #stored: readonly StoredKey[] = [];
  /** Keys that are gone, by slot, whose last calls the next flush collects. */
  readonly #removed = new Map<number, StoredKey>();
  #pending = new Map<string, Pending>();
  /** That of the last flush, for which calls count until the next one: those before midnight are of the day before. */
  #hour = hourNow();
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;

  constructor(store: UsageStore, memory: KeyCellsMemory, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#cells = new KeyCells(memory);
    this.#changed = new Int32Array(memory.changed);
  }

  /** Rows that are not written yet. */
  get unsavedRows(): number {
    return this.#pending.size;
  }

  /** Reads the sums of the day that earlier processes have written. */
  async start(stored: readonly StoredKey[]): Promise<void> {
    this.#stored = stored;
    await this.#prune();
    this.#useTotals(await this.#store.dayTotals(dayOf(this.#hour)), this.#dayCells());
  }

  useKeys(stored: readonly StoredKey[]): void {
    const slots = new Set(stored.map(({ slot }) => slot));
    for (const key of this.#stored) if (!slots.has(key.slot)) this.#removed.set(key.slot, key);
    this.#stored = stored;
  }

  startTimer(): void {
    this.#timer = setInterval(() => void this.flush(), USAGE_FLUSH_MS).unref();
  }

  /** Never rejects: what cannot be written waits for the next time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = null));
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer ?? undefined);
    await this.#flushing;
    await this.flush();
    await this.#store.close();
  }

  async #flush(): Promise<void> {
    const hour = hourNow();
    const isNewDay = dayOf(hour) !== dayOf(this.#hour);
    const dayCells = this.#dayCells();
    this.#collect(this.#hour);
    this.#hour = hour;
    try {
      if (this.#pending.size > 0) await this.#write();
      this.#useTotals(await this.#store.dayTotals(dayOf(hour)), dayCells);
      if (isNewDay) await this.#prune();
    } catch (error) {
      this.#log.error(
        { rows: this.#pending.size, err: error },
        "calls of API keys cannot be counted for good",
      );
      if (isNewDay) this.#useTotals(this.#pendingTotals(dayOf(hour)), dayCells);
      this.#dropWhereTooMany();
    }
  }

  /** Never rejects: calls that are kept for longer harm no caller, and no sums. */
  async #prune(): Promise<void> {
    try {
      await this.#store.prune(this.#hour - KEPT_HOURS);
    } catch (error) {
      this.#log.error({ err: error }, "old calls of API keys cannot be removed; the next day tries again");
    }
  }

  async #write(): Promise<void> {
    const rows = this.#pending;
    this.#pending = new Map();
    try {
      await this.#store.add([...rows.values()]);
    } catch (error) {
      // Nothing was counted in the meantime: only `#collect` adds rows.
      this.#pending = rows;
      throw error;
    }
  }

  /** Makes rows of the calls since the last time. */
  #collect(hour: number): void {
    const keys = [...this.#stored, ...this.#removed.values()];
    this.#removed.clear();
    for (const { record, slot } of keys) {
      if (Atomics.exchange(this.#changed, slot, 0) === 0) continue;
      for (const [index, method] of meteredNames.entries()) {
        const requests = this.#take(cellOf(slot) + requestsOf(index));
        const units = this.#take(cellOf(slot) + unitsOf(index));
        if (requests > 0) this.#addRow({ hour, key: record.name, method, requests, units });
      }
    }
  }

  #take(cell: number): number {
    const count = this.#cells.sum(cell);
    const more = count - this.#seen[cell]!;
    this.#seen[cell] = count;
    return more;
  }

  #addRow(row: UsageRow): void {
    const name = `${row.hour} ${row.key} ${row.method}`;
    const found = this.#pending.get(name);
    if (found === undefined) return void this.#pending.set(name, { ...row });
    found.requests += row.requests;
    found.units += row.units;
  }

  /** The sums of the day as they are now. The totals of the store lack what is added from here on. */
  #dayCells(): DayCells {
    return new Map(
      this.#stored.map(({ slot }) => [
        slot,
        [this.#cells.sum(cellOf(slot) + DAY_REQUESTS), this.#cells.sum(cellOf(slot) + DAY_UNITS)],
      ]),
    );
  }

  /** What is known of a day while the store cannot be read. */
  #pendingTotals(day: number): ReadonlyMap<string, DayUse> {
    const totals = new Map<string, DayUse>();
    for (const { hour, key, requests, units } of this.#pending.values()) {
      if (dayOf(hour) !== day) continue;
      const sum = totals.get(key) ?? { requests: 0, units: 0 };
      totals.set(key, { requests: sum.requests + requests, units: sum.units + units });
    }
    return totals;
  }

  #useTotals(totals: ReadonlyMap<string, DayUse>, before: DayCells): void {
    for (const { record, slot } of this.#stored) {
      const counted = before.get(slot);
      if (counted === undefined) continue;
      const { requests = 0, units = 0 } = totals.get(record.name) ?? {};
      this.#cells.add(cellOf(slot) + DAY_REQUESTS, requests - counted[0]);
      this.#cells.add(cellOf(slot) + DAY_UNITS, units - counted[1]);
    }
    this.#cells.setMain(SUMS_DAY, dayOf(this.#hour));
  }

  #dropWhereTooMany(): void {
    if (this.#pending.size <= PENDING_ROWS_MAX) return;
    this.#log.error({ rows: this.#pending.size }, "calls of API keys are not counted: too many wait");
    this.#pending = new Map();
  }
}
