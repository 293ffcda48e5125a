import { existsSync } from "node:fs";
import {
  access as assertAccess,
  constants,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { type AuditLine, type KeyChange } from "./change-records.ts";
import { type KeyLimits, type KeyRecord } from "./key-record.ts";
import type { KeyStore, StoredRecords, UsageStore } from "./key-store.ts";
import { readRecords, RecordFault } from "./read-records.ts";

const FILE_VERSION = 1;

/** Bytes of a file of keys: far more than all keys that a store may have take. */
const FILE_BYTES_MAX = 64 << 20;

/** Time for which a change waits for another one. */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 20;
const SQLITE_BUSY = 5;

/**
 * Keys in a JSON file that people can read and edit. It is written whole under another name, and renamed: a reader finds the
 * old keys or the new ones. Next to it are `FILE.audit` with a JSON line for each change, `FILE.usage` with the
 * counts, and `FILE.lock`.
 */
export class KeyFile implements KeyStore {
  readonly name: string;

  constructor(file: string) {
    this.name = file;
  }

  async read(known: string | null): Promise<StoredRecords | null> {
    // Before the text: a change in between is found by the next look.
    const found = await stat(this.name, { bigint: true });
    const { ino, size, mtimeNs } = found;
    const version = `${ino} ${size} ${mtimeNs}`;
    if (version === known) return null;
    // Reading a pipe may never end, and would keep the process from ending.
    if (!found.isFile()) throw new RecordFault("the file", "is a folder, a pipe or a device");
    if (size > FILE_BYTES_MAX) throw new RecordFault("the file", `is larger than ${FILE_BYTES_MAX} bytes`);
    const text = await readFile(this.name, "utf8");
    return { version, parse: () => parseKeyFile(text) };
  }

  async change(edit: (records: readonly KeyRecord[]) => KeyChange): Promise<readonly KeyRecord[]> {
    // A link to the file stays a link.
    const file = existsSync(this.name) ? await realpath(this.name) : resolve(this.name);
    const release = await takeLock(`${file}.lock`);
    try {
      const text = await readFile(file, "utf8").catch(noneWhereMissing);
      const { records, audit } = edit(text === null ? [] : parseKeyFile(text));
      await this.#write(file, records, audit);
      return records;
    } finally {
      release();
    }
  }

  /** The audit line comes first: no change goes without one. */
  async #write(file: string, records: readonly KeyRecord[], audit: AuditLine): Promise<void> {
    const draft = `${file}.${process.pid}.new`;
    try {
      await writeDraft(draft, file, formatKeyFile(records));
      await appendLine(`${file}.audit`, JSON.stringify(audit));
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await syncFolder(dirname(file));
  }

  async openUsage(access: "read" | "write"): Promise<UsageStore> {
    const { UsageFile } = await import("./usage-file.ts");
    return new UsageFile(`${this.name}.usage`, access);
  }

  async close(): Promise<void> {}
}

/** @throws RecordFault */
export const parseKeyFile = (text: string): readonly KeyRecord[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's message would quote the file.
    throw new RecordFault("the file", "is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RecordFault("the file", "must be an object with version and keys");
  const { version, keys, ...others } = value as Record<string, unknown>;
  if (version !== FILE_VERSION) throw new RecordFault("version", `must be ${FILE_VERSION}`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new RecordFault("the file", `has the unknown member ${JSON.stringify(unknown.slice(0, 64))}`);
  return readRecords(keys);
};

/** One key a line, so that people and `diff` find their way. */
const formatKeyFile = (records: readonly KeyRecord[]): string => {
  const lines = records.map((record) => JSON.stringify(plainRecord(record)));
  return `{"version": ${FILE_VERSION}, "keys": [\n${lines.join(",\n")}\n]}\n`;
};

/** Leaves the members out that are null. */
export const plainRecord = ({ limits, ...record }: KeyRecord): Record<string, unknown> => {
  const set = given(limits);
  return { ...given(record), ...(Object.keys(set).length > 0 && { limits: set }) };
};

const given = (members: Omit<KeyRecord, "limits"> | KeyLimits): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const noneWhereMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};

/** The server may run under another account than the one that changes keys: owner and mode stay those of the file. */
const writeDraft = async (draft: string, file: string, text: string): Promise<void> => {
  const before = await stat(file).catch(noneWhereMissing);
  const handle = await open(draft, "w", 0o600);
  try {
    if (before !== null) {
      await handle.chmod(before.mode & 0o777);
      // Only root may give a file away. The mode above is what then lets the server read it, or not.
      await handle.chown(before.uid, before.gid).catch(() => undefined);
    }
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const appendLine = async (file: string, line: string): Promise<void> => {
  const handle = await open(file, "a", 0o600);
  try {
    await handle.appendFile(`${line}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Makes a rename durable. Windows cannot open a folder. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
};

/**
 * An exclusive transaction on an empty SQLite file: the system ends it when the process ends in any way.
 *
 * @throws RecordFault where the folder cannot be written
 */
const takeLock = async (file: string): Promise<() => void> => {
  // SQLite would not say why.
  await assertAccess(dirname(file), constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new RecordFault("the folder", `cannot be written (${code})`);
  });
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file, { timeout: 0 });
  const sinceMs = performance.now();
  for (;;) {
    try {
      database.exec("BEGIN EXCLUSIVE");
      return () => database.close();
    } catch (error) {
      if (
        (error as { errcode?: number }).errcode === SQLITE_BUSY &&
        performance.now() - sinceMs < LOCK_WAIT_MS
      ) {
        // The other one may be in this process: the engine's own wait would hold it up.
        await sleep(LOCK_RETRY_MS);
        continue;
      }
      database.close();
      throw error;
    }
  }
};
