import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { type Account, parseExact, type Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import {
  BATCH_ACCOUNTS_LIMIT,
  BATCH_DATA_LIMIT_BYTES,
  FILE_LIMIT_BYTES,
  LINE_LIMIT_BYTES,
} from "./dump-limits.ts";
import { type DumpFile, listDumpFiles } from "./list-dump-files.ts";
import { DumpFault, parseAccountDump } from "./parse-account-dump.ts";
import { readLines } from "./read-lines.ts";

/** Slot of accounts that have none. */
export const DEFAULT_DUMP_SLOT: Slot = 1;

export type BadDump = LamplightError<"SOURCE__BAD_DUMP">;

export interface DumpOptions {
  /** Default {@link DEFAULT_DUMP_SLOT}. */
  readonly defaultSlot?: Slot;
  /** Called for each file, line or array item that is not an account. Reading continues. */
  readonly onBad: (error: BadDump) => void;
  /** Default 4096. */
  readonly batchAccountsLimit?: number;
}

export interface DumpProgress {
  /** Files that are completely read after this batch. */
  readonly filesRead: number;
  readonly filesTotal: number;
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

export interface DumpBatch extends DumpProgress {
  /**
   * Accounts follow the order of the files. An address may occur several times; of equal slots, the later one counts.
   */
  readonly accounts: readonly Account[];
}

/** One account, one fault, or (neither) the progress at the end of a file. */
interface Reading {
  readonly account?: Account;
  readonly fault?: BadDump;
  readonly bytesRead: number;
}

/**
 * Accounts of dump files and folders, in batches bounded by count and bytes. The last batch may be empty: it carries
 * the final progress.
 *
 * ```ts
 * for await (const batch of readAccountDumps(["dumps/"], { onBad: console.error })) apply(batch.accounts);
 * ```
 *
 * @throws LamplightError `SOURCE__NO_SUCH_PATH` before the first batch
 */
export async function* readAccountDumps(
  paths: readonly string[],
  options: DumpOptions,
): AsyncGenerator<DumpBatch> {
  const files = await listDumpFiles(paths);
  const bytesTotal = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const accountsLimit = options.batchAccountsLimit ?? BATCH_ACCOUNTS_LIMIT;
  const defaultSlot = options.defaultSlot ?? DEFAULT_DUMP_SLOT;
  let accounts: Account[] = [];
  let dataBytes = 0;
  let filesRead = 0;
  let bytesDone = 0;
  for (const file of files) {
    for await (const reading of readFileAccounts(file, defaultSlot)) {
      if (reading.fault !== undefined) options.onBad(reading.fault);
      if (reading.account === undefined) continue;
      accounts.push(reading.account);
      dataBytes += reading.account.data.length;
      if (accounts.length >= accountsLimit || dataBytes >= BATCH_DATA_LIMIT_BYTES) {
        const bytesRead = bytesDone + reading.bytesRead;
        yield { accounts, filesRead, filesTotal: files.length, bytesRead, bytesTotal };
        accounts = [];
        dataBytes = 0;
      }
    }
    filesRead += 1;
    bytesDone += file.sizeBytes;
  }
  yield { accounts, filesRead, filesTotal: files.length, bytesRead: bytesDone, bytesTotal };
}

async function* readFileAccounts(file: DumpFile, defaultSlot: Slot): AsyncGenerator<Reading> {
  if (isLineFile(file.path)) return yield* readLineFile(file, defaultSlot);
  if (file.sizeBytes > FILE_LIMIT_BYTES) {
    const reason = `is larger than ${FILE_LIMIT_BYTES} bytes: write one account per line and name it .ndjson`;
    return yield { fault: badDump(file, reason), bytesRead: file.sizeBytes };
  }
  let bytes: Buffer;
  try {
    bytes = await readFile(file.path);
  } catch (cause) {
    return yield { fault: badDump(file, `cannot be read: ${messageOf(cause)}`), bytesRead: file.sizeBytes };
  }
  if (startsWithWholeRecord(bytes)) return yield* readLineFile(file, defaultSlot);
  yield* readWholeFile(file, bytes, defaultSlot);
}

const isLineFile = (path: string): boolean => [".jsonl", ".ndjson"].includes(extname(path).toLowerCase());

/** One account per line, under another extension: the first line is an object, and more text follows. */
const startsWithWholeRecord = (bytes: Buffer): boolean => {
  const end = bytes.indexOf(10);
  if (end < 0 || bytes.subarray(end).toString("latin1", 0, 4096).trim() === "") return false;
  const line = bytes.toString("utf8", 0, end).trim();
  return line.startsWith("{") && line.endsWith("}") && line.length > 2;
};

async function* readLineFile(file: DumpFile, defaultSlot: Slot): AsyncGenerator<Reading> {
  try {
    for await (const { number, bytes, endBytes } of readLines(file.path, LINE_LIMIT_BYTES)) {
      if (bytes === null) {
        const fault = badDump(file, `line is longer than ${LINE_LIMIT_BYTES} bytes`, number);
        yield { fault, bytesRead: endBytes };
      } else if (bytes.length > 0 && !isBlank(bytes)) {
        yield {
          ...readRecord(file, () => parseJson(bytes), defaultSlot, { line: number }),
          bytesRead: endBytes,
        };
      }
    }
  } catch (cause) {
    yield { fault: badDump(file, `cannot be read: ${messageOf(cause)}`), bytesRead: file.sizeBytes };
  }
}

function* readWholeFile(file: DumpFile, bytes: Buffer, defaultSlot: Slot): Generator<Reading> {
  const bytesRead = file.sizeBytes;
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch (cause) {
    return yield { fault: badDump(file, messageOf(cause)), bytesRead };
  }
  if (!Array.isArray(value)) return yield { ...readRecord(file, () => value, defaultSlot, {}), bytesRead };
  for (const [index, item] of value.entries()) {
    yield { ...readRecord(file, () => item, defaultSlot, { item: index + 1 }), bytesRead };
  }
}

interface Place {
  readonly line?: number;
  /** 1-based position in a file that holds an array. */
  readonly item?: number;
}

const readRecord = (
  file: DumpFile,
  value: () => unknown,
  defaultSlot: Slot,
  place: Place,
): { account: Account } | { fault: BadDump } => {
  try {
    return { account: parseAccountDump(value(), defaultSlot) };
  } catch (cause) {
    if (!(cause instanceof DumpFault)) throw cause;
    const reason = place.item === undefined ? cause.message : `item ${place.item}: ${cause.message}`;
    return { fault: badDump(file, reason, place.line) };
  }
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** @throws DumpFault when the bytes are no JSON */
const parseJson = (bytes: Buffer): unknown => {
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch (cause) {
    throw new DumpFault("is not UTF-8 text", { cause });
  }
  try {
    return parseExact(text);
  } catch (cause) {
    throw new DumpFault(`is not JSON: ${messageOf(cause)}`, { cause });
  }
};

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || byte === 13 || byte === 9);

const badDump = (file: DumpFile, reason: string, line?: number): BadDump =>
  new LamplightError("SOURCE__BAD_DUMP", {
    file: file.path,
    reason,
    ...(line === undefined ? {} : { line }),
  });

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
