import type { KeyTables } from "@lamplight/runtime";

import type { KeyChange } from "../../key-store/change-records.ts";
import { plainRecord } from "../../key-store/key-file.ts";
import type { KeyRecord } from "../../key-store/key-record.ts";
import type { DayUse, KeyStore, StoredRecords, UsageRow, UsageStore } from "../../key-store/key-store.ts";
import { readRecords, RecordFault } from "../../key-store/read-records.ts";

/** Keys in tables of a database that several nodes share. */
export class KeyTable implements KeyStore {
  readonly name: string;
  readonly #tables: KeyTables;
  readonly #openMore: () => Promise<KeyTables>;

  /** @param openMore - opens the tables once more: calls are written in transactions of their own */
  constructor(name: string, tables: KeyTables, openMore: () => Promise<KeyTables>) {
    this.name = name;
    this.#tables = tables;
    this.#openMore = openMore;
  }

  async read(known: string | null): Promise<StoredRecords | null> {
    const read = await this.#tables.read(known === null ? null : Number(known));
    if (read === null) return null;
    return { version: String(read.version), parse: () => parseRecords(read.records) };
  }

  async change(edit: (records: readonly KeyRecord[]) => KeyChange): Promise<readonly KeyRecord[]> {
    let changed: readonly KeyRecord[] = [];
    await this.#tables.change((texts) => {
      const { records, audit } = edit(parseRecords(texts));
      changed = records;
      return {
        records: records.map((record) => JSON.stringify(plainRecord(record))),
        audit: JSON.stringify(audit),
      };
    });
    return changed;
  }

  async openUsage(): Promise<UsageStore> {
    return new UsageTable(await this.#openMore());
  }

  close(): Promise<void> {
    return this.#tables.close();
  }
}

/** @throws RecordFault */
const parseRecords = (texts: readonly string[]): readonly KeyRecord[] => {
  try {
    return readRecords(texts.map((text) => JSON.parse(text) as unknown));
  } catch (error) {
    if (error instanceof RecordFault) throw error;
    throw new RecordFault("a record", "is not JSON");
  }
};

class UsageTable implements UsageStore {
  readonly #tables: KeyTables;

  constructor(tables: KeyTables) {
    this.#tables = tables;
  }

  add(rows: readonly UsageRow[]): Promise<void> {
    return this.#tables.addUse(rows);
  }

  async dayTotals(day: number): Promise<ReadonlyMap<string, DayUse>> {
    const rows = await this.#tables.listDay(day);
    return new Map(rows.map(([key, requests, units]) => [key, { requests, units }]));
  }

  list(fromHour: number, toHour: number): Promise<readonly UsageRow[]> {
    return this.#tables.listUse(fromHour, toHour);
  }

  prune(beforeHour: number): Promise<void> {
    return this.#tables.prune(beforeHour);
  }

  close(): Promise<void> {
    return this.#tables.close();
  }
}
