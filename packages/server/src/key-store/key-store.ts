import type { KeyChange } from "./change-records.ts";
import type { KeyRecord } from "./key-record.ts";

/** The records of a store at one moment. */
export interface StoredRecords {
  /** Another text after each change. */
  readonly version: string;
  /** @throws RecordFault */
  readonly parse: () => readonly KeyRecord[];
}

/** Calls of one key, of one method, in one hour. */
export interface UsageRow {
  /** Hours since 1970 in UTC. */
  readonly hour: number;
  /** Name of the key. */
  readonly key: string;
  /** Wire name; `other` for what is no method. */
  readonly method: string;
  readonly requests: number;
  readonly units: number;
}

/** Calls of one key in one day. */
export type DayUse = Pick<UsageRow, "requests" | "units">;

/** The place where calls are counted for good. Several processes may add to it. */
export interface UsageStore {
  /** Adds to what is there, all rows or none. */
  add(rows: readonly UsageRow[]): Promise<void>;
  /**
   * Sums of one day over all processes, by name of the key.
   *
   * @param day - days since 1970 in UTC
   */
  dayTotals(day: number): Promise<ReadonlyMap<string, DayUse>>;
  /** Rows from one hour to another, the last not included, in order of hour, key and method. */
  list(fromHour: number, toHour: number): Promise<readonly UsageRow[]>;
  /** Forgets all rows before an hour, unless the clock of this process seems to be ahead. */
  prune(beforeHour: number): Promise<void>;
  close(): Promise<void>;
}

/** The place where keys are kept. */
export interface KeyStore {
  /** For messages: no password. */
  readonly name: string;
  /**
   * The records, or null where the version is still `known`.
   *
   * @throws errors of the system, where it cannot be read; RecordFault, where it is too large
   */
  read(known: string | null): Promise<StoredRecords | null>;
  /**
   * Changes it while no other process can, and writes the audit line.
   *
   * @returns the records after it
   */
  change(edit: (records: readonly KeyRecord[]) => KeyChange): Promise<readonly KeyRecord[]>;
  openUsage(access: "read" | "write"): Promise<UsageStore>;
  close(): Promise<void>;
}
