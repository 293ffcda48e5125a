import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Slot, Transaction } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { type DumpFile, listDumpFiles } from "../dumps/list-dump-files.ts";
import { readLines } from "../dumps/read-lines.ts";
import { parseTransactions } from "./parse-transaction.ts";
import { TransactionFault } from "./transaction-fault.ts";
import { BATCH_TRANSACTIONS_LIMIT, FILE_LIMIT_BYTES, LINE_LIMIT_BYTES } from "./transaction-limits.ts";

export type BadTransaction = LamplightError<"SOURCE__BAD_DUMP">;

export interface TransactionFileOptions {
  /** Called for each file, line or array item that is not a transaction. Reading continues. */
  readonly onBad: (error: BadTransaction) => void;
  /** Default 512. */
  readonly batchTransactionsLimit?: number;
}

export interface TransactionBatch {
  /** Transactions in the order of the files; failed ones included. */
  readonly transactions: readonly Transaction[];
  /** Files that are completely read after this batch. */
  readonly filesRead: number;
  readonly filesTotal: number;
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** Transactions of one value, or its fault. */
interface Reading {
  readonly transactions: readonly Transaction[];
  readonly fault: BadTransaction | null;
  readonly bytesRead: number;
}

/**
 * Transactions of files and folders, in bounded batches: one JSON value per file, a JSON array, or one value per line
 * (.ndjson, .jsonl). The last batch may be empty: it carries the final progress.
 *
 * ```ts
 * for await (const batch of readTransactionFiles(["history/"], { onBad: console.error })) apply(batch.transactions);
 * ```
 *
 * @throws LamplightError `SOURCE__NO_SUCH_PATH` before the first batch
 */
export async function* readTransactionFiles(
  paths: readonly string[],
  options: TransactionFileOptions,
): AsyncGenerator<TransactionBatch> {
  const files = await listDumpFiles(paths);
  const bytesTotal = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const limit = options.batchTransactionsLimit ?? BATCH_TRANSACTIONS_LIMIT;
  let waiting: Transaction[] = [];
  let filesRead = 0;
  let bytesDone = 0;
  const progress = (bytesRead: number): Omit<TransactionBatch, "transactions"> => ({
    filesRead,
    filesTotal: files.length,
    bytesRead,
    bytesTotal,
  });
  for (const file of files) {
    for await (const reading of readFileTransactions(file)) {
      if (reading.fault !== null) options.onBad(reading.fault);
      for (const transaction of reading.transactions) {
        waiting.push(transaction);
        if (waiting.length < limit) continue;
        yield { transactions: waiting, ...progress(bytesDone + reading.bytesRead) };
        waiting = [];
      }
    }
    filesRead += 1;
    bytesDone += file.sizeBytes;
  }
  yield { transactions: waiting, ...progress(bytesDone) };
}

async function* readFileTransactions(file: DumpFile): AsyncGenerator<Reading> {
  try {
    yield* isLineFile(file.path) ? readLineFile(file) : readWholeFile(file);
  } catch (cause) {
    yield {
      transactions: [],
      fault: bad(file, `cannot be read: ${messageOf(cause)}`),
      bytesRead: file.sizeBytes,
    };
  }
}

const isLineFile = (path: string): boolean => [".jsonl", ".ndjson"].includes(extname(path).toLowerCase());

async function* readLineFile(file: DumpFile): AsyncGenerator<Reading> {
  for await (const { number, bytes, endBytes } of readLines(file.path, LINE_LIMIT_BYTES)) {
    if (bytes === null) {
      const fault = bad(file, `is longer than ${LINE_LIMIT_BYTES} bytes`, { line: number });
      yield { transactions: [], fault, bytesRead: endBytes };
    } else if (!isBlank(bytes)) {
      yield { ...readValue(file, () => parseJson(bytes), { line: number }), bytesRead: endBytes };
    }
  }
}

async function* readWholeFile(file: DumpFile): AsyncGenerator<Reading> {
  const bytesRead = file.sizeBytes;
  if (bytesRead > FILE_LIMIT_BYTES) {
    const reason = `is larger than ${FILE_LIMIT_BYTES} bytes: write one transaction per line and name it .ndjson`;
    return yield { transactions: [], fault: bad(file, reason), bytesRead };
  }
  const bytes = await readFile(file.path);
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch (cause) {
    return yield { transactions: [], fault: bad(file, messageOf(cause)), bytesRead };
  }
  if (!Array.isArray(value)) return yield { ...readValue(file, () => value, {}), bytesRead };
  for (const [index, item] of value.entries()) {
    yield { ...readValue(file, () => item, { item: index + 1 }), bytesRead };
  }
}

interface Place {
  readonly line?: number;
  /** 1-based position in a file that holds an array. */
  readonly item?: number;
}

const readValue = (file: DumpFile, value: () => unknown, place: Place): Omit<Reading, "bytesRead"> => {
  try {
    return { transactions: parseTransactions(value(), slotInName(file.path)), fault: null };
  } catch (cause) {
    if (!(cause instanceof TransactionFault)) throw cause;
    return { transactions: [], fault: bad(file, cause.message, place) };
  }
};

/** Blocks do not contain their own slot; their files are usually named after it. */
const slotInName = (path: string): Slot | null => {
  const digits = /(\d{1,15})$/.exec(basename(path, extname(path)))?.[1];
  return digits === undefined ? null : Number(digits);
};

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(strictUtf8.decode(bytes)) as unknown;
  } catch (cause) {
    throw new TransactionFault(`is not JSON: ${messageOf(cause)}`, { cause });
  }
};

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 32 || byte === 13 || byte === 9);

const bad = (file: DumpFile, reason: string, { line, item }: Place = {}): BadTransaction =>
  new LamplightError("SOURCE__BAD_DUMP", {
    file: file.path,
    reason: item === undefined ? reason : `item ${item}: ${reason}`,
    ...(line === undefined ? {} : { line }),
  });

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
