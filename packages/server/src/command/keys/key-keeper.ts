import type { StoredKey } from "../../gate/key-account.ts";
import { clockOf, createKeyCells, KeyCells, type KeyCellsMemory, READ_AT } from "../../gate/key-cells.ts";
import { toKeyStoreError } from "../../key-store/key-admin.ts";
import { type KeyRecord, STORED_KEYS_MAX } from "../../key-store/key-record.ts";
import type { KeyStore, StoredRecords, UsageStore } from "../../key-store/key-store.ts";
import type { Log } from "../../log/log.ts";
import { withinMs } from "../../within-ms.ts";
import { UsageFlush } from "./usage-flush.ts";

/** Time between two looks for changed keys: a change holds everywhere after this. */
const KEYS_POLL_MS = 1000;

/** Time between two lines of the log about a store that cannot be read. */
const LOG_EVERY_MS = 60_000;

/** Time for what is not written yet, when the process ends. */
const CLOSE_MS = 5000;

/** Names of changed keys in one line of the log. */
const NAMES_LOGGED = 20;

const MS_OF_SECOND = 1000;
const NS_OF_SECOND = 1_000_000_000;

/**
 * Keeps the keys of a store for all servers of this process: reads them again when they change, and counts their calls for good.
 * While the store cannot be read, the keys that were read last hold for `KEYS_HOLD_MS`.
 */
export class KeyKeeper {
  readonly cells: KeyCellsMemory;
  readonly usage: UsageFlush;
  readonly #store: KeyStore;
  readonly #counted: UsageStore;
  readonly #log: Log;
  readonly #values: KeyCells;
  readonly #nowNs: () => number;
  /** A slot stays with its name, so that no counter changes its key. */
  readonly #slots = new Map<string, number>();
  #version: string | null = null;
  /** What is wrong with the records of that version, which are not parsed again; null = nothing. */
  #fault: unknown = null;
  #stored: readonly StoredKey[] = [];
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> | null = null;
  #loggedAtMs = -Infinity;
  #onChange: (stored: readonly StoredKey[]) => unknown = () => undefined;

  private constructor(store: KeyStore, counted: UsageStore, cells: KeyCellsMemory, log: Log) {
    this.#store = store;
    this.#counted = counted;
    this.cells = cells;
    this.usage = new UsageFlush(counted, cells, log);
    this.#log = log;
    this.#values = new KeyCells(cells);
    this.#nowNs = clockOf(cells);
  }

  /** @throws LamplightError `CONFIG__INVALID` where the store cannot be read, errors of an unreachable database as they are */
  static async open(store: KeyStore, workers: number, log: Log): Promise<KeyKeeper> {
    const cells = createKeyCells(workers);
    let counted: UsageStore | null = null;
    try {
      // Before the counts, which would be made next to a file that does not exist.
      const first = await store.read(null);
      counted = await store.openUsage("write");
      const keeper = new KeyKeeper(store, counted, cells, log);
      keeper.#take(first);
      await keeper.usage.start(keeper.#stored);
      return keeper;
    } catch (error) {
      await counted?.close();
      await store.close();
      throw toKeyStoreError(store.name, error);
    }
  }

  /** The keys that were read last. */
  get stored(): readonly StoredKey[] {
    return this.#stored;
  }

  get readAgeSeconds(): number {
    return (this.#nowNs() - this.#values.ofMain(READ_AT)) / NS_OF_SECOND;
  }

  /** Calls `onChange` with all keys within `KEYS_POLL_MS` of each change since `open`, in order. */
  start(onChange: (stored: readonly StoredKey[]) => unknown): void {
    this.#onChange = onChange;
    this.#timer = setInterval(() => (this.#reading ??= this.#readAgain()), KEYS_POLL_MS).unref();
    this.usage.startTimer();
  }

  /** Writes what was counted. Called when no server counts any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer ?? undefined);
    // A database may hang.
    await withinMs(this.#reading ?? Promise.resolve(), CLOSE_MS).catch(() => undefined);
    const written = this.usage.close().then(() => true);
    const isWritten = await withinMs(written, CLOSE_MS).catch(() => null);
    if (isWritten === null) await withinMs(this.#counted.close(), CLOSE_MS).catch(() => undefined);
    await withinMs(this.#store.close(), CLOSE_MS).catch(() => undefined);
  }

  async #readAgain(): Promise<void> {
    try {
      const before = this.#stored;
      await this.#read();
      if (this.#stored === before) return;
      this.#logChange(before);
      this.usage.useKeys(this.#stored);
      void this.#tell(this.#stored);
    } catch (error) {
      this.#logFault(error);
    } finally {
      this.#reading = null;
    }
  }

  /** Not awaited: a worker that hangs must not keep the others from the next change. */
  async #tell(stored: readonly StoredKey[]): Promise<void> {
    try {
      await this.#onChange(stored);
    } catch (error) {
      this.#log.error({ store: this.#store.name, err: error }, "changed API keys did not reach all servers");
    }
  }

  async #read(): Promise<void> {
    this.#take(await this.#store.read(this.#version));
  }

  /** @throws RecordFault */
  #take(read: StoredRecords | null): void {
    if (read !== null) this.#parse(read);
    if (this.#fault !== null) throw this.#fault;
    this.#values.setMain(READ_AT, this.#nowNs());
  }

  #parse({ version, parse }: StoredRecords): void {
    this.#version = version;
    this.#fault = null;
    try {
      this.#stored = parse().flatMap((record) => this.#inSlot(record));
    } catch (error) {
      this.#fault = error;
    }
  }

  #inSlot(record: KeyRecord): readonly StoredKey[] {
    const { name } = record;
    const slot = this.#slots.get(name) ?? this.#slots.size;
    if (slot >= STORED_KEYS_MAX) {
      this.#log.error({ key: name }, "the key gets no counters, and is refused: restart the server");
      return [];
    }
    this.#slots.set(name, slot);
    return [{ record, slot }];
  }

  #logChange(before: readonly StoredKey[]): void {
    const known = new Map(before.map(({ record }) => [record.name, JSON.stringify(record)]));
    const present = new Set(this.#stored.map(({ record }) => record.name));
    const changed = this.#stored.filter(({ record }) => known.get(record.name) !== JSON.stringify(record));
    const removed = [...known.keys()].filter((name) => !present.has(name));
    const fields = {
      keys: this.#stored.length,
      changed: changed.slice(0, NAMES_LOGGED).map(({ record }) => record.name),
      changedCount: changed.length,
      removed: removed.slice(0, NAMES_LOGGED),
      removedCount: removed.length,
    };
    this.#log.info(fields, "API keys were read again");
  }

  #logFault(error: unknown): void {
    const nowMs = performance.now();
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    const ageSeconds = Math.round(this.readAgeSeconds * MS_OF_SECOND) / MS_OF_SECOND;
    const fields = { store: this.#store.name, ageSeconds, err: error };
    this.#log.error(fields, "API keys cannot be read; those that were read last hold for an hour");
  }
}
