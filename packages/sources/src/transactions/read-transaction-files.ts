import { basename, extname } from "node:path";
import type { Slot, Transaction } from "@lamplight/core";
import { type BadDump, type FilesProgress, messageOf, readRecordFiles } from "../dumps/record-files.ts";
import { parseTransactions } from "./parse-transaction.ts";
import { TransactionFault } from "./transaction-fault.ts";
import { BATCH_TRANSACTIONS_LIMIT, FILE_LIMIT_BYTES, LINE_LIMIT_BYTES } from "./transaction-limits.ts";

export interface TransactionFileOptions {
  /** Called for each file, line or array item that is not a transaction. Reading continues. */
  readonly onBad: (error: BadDump) => void;
  /** Default 512. */
  readonly batchTransactionsLimit?: number;
}

export interface TransactionBatch extends FilesProgress {
  /** Transactions in the order of the files; failed ones included. */
  readonly transactions: readonly Transaction[];
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
  { onBad, batchTransactionsLimit: batchItems = BATCH_TRANSACTIONS_LIMIT }: TransactionFileOptions,
): AsyncGenerator<TransactionBatch> {
  const kind = {
    name: "transaction",
    fileBytesMax: FILE_LIMIT_BYTES,
    lineBytesMax: LINE_LIMIT_BYTES,
    longLine: `is longer than ${LINE_LIMIT_BYTES} bytes`,
    batchItems,
    batchBytes: Infinity,
    bytesOf: () => 0,
    parseJson,
    parse: (value: unknown, { path }: { readonly path: string }) =>
      parseTransactions(value, slotInName(path)),
    isFault: (error: unknown) => error instanceof TransactionFault,
    isInLines: () => false,
  };
  for await (const { items, progress } of readRecordFiles(paths, kind, onBad))
    yield { transactions: items, ...progress };
}

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
