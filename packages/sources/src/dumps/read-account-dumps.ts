import { type Account, parseExact, type Slot } from "@lamplight/core";
import {
  BATCH_ACCOUNTS_LIMIT,
  BATCH_DATA_LIMIT_BYTES,
  FILE_LIMIT_BYTES,
  LINE_LIMIT_BYTES,
} from "./dump-limits.ts";
import { DumpFault, parseAccountDump } from "./parse-account-dump.ts";
import { type BadDump, type FilesProgress, messageOf, readRecordFiles } from "./record-files.ts";

/** Slot of accounts that have none. */
export const DEFAULT_DUMP_SLOT: Slot = 1;

export interface DumpOptions {
  /** Default {@link DEFAULT_DUMP_SLOT}. */
  readonly defaultSlot?: Slot;
  /** Called for each file, line or array item that is not an account. Reading continues. */
  readonly onBad: (error: BadDump) => void;
  /** Default 4096. */
  readonly batchAccountsLimit?: number;
}

export interface DumpBatch extends FilesProgress {
  /**
   * Accounts follow the order of the files. An address may occur several times; of equal slots, the later one counts.
   */
  readonly accounts: readonly Account[];
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
  {
    defaultSlot = DEFAULT_DUMP_SLOT,
    onBad,
    batchAccountsLimit: batchItems = BATCH_ACCOUNTS_LIMIT,
  }: DumpOptions,
): AsyncGenerator<DumpBatch> {
  const kind = {
    name: "account",
    fileBytesMax: FILE_LIMIT_BYTES,
    lineBytesMax: LINE_LIMIT_BYTES,
    longLine: `line is longer than ${LINE_LIMIT_BYTES} bytes`,
    batchItems,
    batchBytes: BATCH_DATA_LIMIT_BYTES,
    bytesOf: ({ data }: Account) => data.length,
    parseJson,
    parse: (value: unknown) => [parseAccountDump(value, defaultSlot)],
    isFault: (error: unknown) => error instanceof DumpFault,
    isInLines: startsWithWholeRecord,
  };
  for await (const { items, progress } of readRecordFiles(paths, kind, onBad))
    yield { accounts: items, ...progress };
}

/** One account per line, under another extension: the first line is an object, and more text follows. */
const startsWithWholeRecord = (bytes: Buffer): boolean => {
  const end = bytes.indexOf(10);
  if (end < 0 || bytes.subarray(end).toString("latin1", 0, 4096).trim() === "") return false;
  const line = bytes.toString("utf8", 0, end).trim();
  return line.startsWith("{") && line.endsWith("}") && line.length > 2;
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
