import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";

import type { DayUse, UsageRow, UsageStore } from "./key-store.ts";

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS usage (
  hour INTEGER NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL,
  requests INTEGER NOT NULL, units INTEGER NOT NULL,
  PRIMARY KEY (hour, key, method)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS day (
  day INTEGER NOT NULL, key TEXT NOT NULL,
  requests INTEGER NOT NULL, units INTEGER NOT NULL,
  PRIMARY KEY (day, key)
) WITHOUT ROWID;`;

/** Time for which opening waits for another process. */
const OPEN_WAIT_MS = 5000;

/** The same of a write, during which all callers wait. It is tried again with the next one. */
const WRITE_WAIT_MS = 20;

/** Rows that are written before other callers have their turn: some milliseconds. */
const ROWS_AT_ONCE = 500;

const HOURS_OF_DAY = 24;
const HOUR_MS = 3_600_000;

/**
 * Hours without a call after which nothing is forgotten until there is one again: a clock that has jumped ahead would
 * make all rows old.
 */
const QUIET_HOURS_MAX = 7 * 24;

/** Counts in a SQLite file. Other processes may read it, and add to it. */
export class UsageFile implements UsageStore {
  readonly #database: DatabaseSync | null;
  readonly #addToHour: StatementSync | null = null;
  readonly #addToDay: StatementSync | null = null;

  constructor(file: string, access: "read" | "write") {
    // No server has counted anything yet.
    const isMissing = access === "read" && !existsSync(file);
    this.#database = isMissing
      ? null
      : new DatabaseSync(file, { timeout: OPEN_WAIT_MS, readOnly: access === "read" });
    if (access === "read") return;
    this.#database!.exec(`${schema}
PRAGMA busy_timeout = ${WRITE_WAIT_MS};`);
    const add = "DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units";
    this.#addToHour = this.#database!.prepare(
      `INSERT INTO usage VALUES (?, ?, ?, ?, ?) ON CONFLICT (hour, key, method) ${add}`,
    );
    this.#addToDay = this.#database!.prepare(
      `INSERT INTO day VALUES (?, ?, ?, ?) ON CONFLICT (day, key) ${add}`,
    );
  }

  async add(rows: readonly UsageRow[]): Promise<void> {
    const database = this.#database!;
    database.exec("BEGIN IMMEDIATE");
    try {
      for (const [index, { hour, key, method, requests, units }] of rows.entries()) {
        this.#addToHour!.run(hour, key, method, requests, units);
        this.#addToDay!.run(Math.floor(hour / HOURS_OF_DAY), key, requests, units);
        if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
      }
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  async dayTotals(day: number): Promise<ReadonlyMap<string, DayUse>> {
    const rows = this.#all("SELECT key, requests, units FROM day WHERE day = ?", day);
    return new Map(rows.map(({ key, requests, units }) => [key as string, { requests, units } as DayUse]));
  }

  async list(fromHour: number, toHour: number): Promise<readonly UsageRow[]> {
    const sql = `SELECT hour, key, method, requests, units FROM usage
WHERE hour >= ? AND hour < ? ORDER BY hour, key, method`;
    return this.#all(sql, fromHour, toHour) as unknown as readonly UsageRow[];
  }

  async prune(beforeHour: number): Promise<void> {
    const database = this.#database!;
    const nowHour = Math.floor(Date.now() / HOUR_MS);
    const [newest] = this.#all("SELECT max(hour) AS hour FROM usage WHERE hour <= ?", nowHour);
    if (Number(newest!["hour"]) < nowHour - QUIET_HOURS_MAX) return;
    const oldest = database.prepare("SELECT min(hour) AS hour FROM usage WHERE hour < ?");
    const drop = database.prepare("DELETE FROM usage WHERE hour = ?");
    for (let hour = oldest.get(beforeHour)!["hour"]; hour !== null; hour = oldest.get(beforeHour)!["hour"]) {
      drop.run(hour!);
      await setImmediate();
    }
    database.prepare("DELETE FROM day WHERE day < ?").run(Math.floor(beforeHour / HOURS_OF_DAY));
  }

  async close(): Promise<void> {
    this.#database?.close();
  }

  #all(sql: string, ...values: number[]): readonly Record<string, unknown>[] {
    return this.#database?.prepare(sql).all(...values) ?? [];
  }
}
