import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { type DumpFile, listDumpFiles } from "./list-dump-files.ts";
import { readLines } from "./read-lines.ts";

export type BadDump = LamplightError<"SOURCE__BAD_DUMP">;

export interface FilesProgress {
  /** Files that are completely read after this batch. */
  readonly filesRead: number;
  readonly filesTotal: number;
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** A kind of record that files hold: one in each, an array of them, or one per line (.ndjson, .jsonl). */
export interface RecordKind<Item> {
  /** As errors name one record. */
  readonly name: string;
  readonly fileBytesMax: number;
  readonly lineBytesMax: number;
  /** The fault of a line above `lineBytesMax`. */
  readonly longLine: string;
  /** A batch is handed on when it reaches either number. */
  readonly batchItems: number;
  readonly batchBytes: number;
  bytesOf(item: Item): number;
  /** @throws an error that `isFault` knows */
  parseJson(bytes: Buffer): unknown;
  /** @throws an error that `isFault` knows */
  parse(value: unknown, file: DumpFile): readonly Item[];
  isFault(error: unknown): error is Error;
  /** Whether a file holds a record per line under another extension. */
  isInLines(bytes: Buffer): boolean;
}

/** The items of one record, or its fault. */
interface Reading<Item> {
  readonly items: readonly Item[];
  readonly fault: BadDump | null;
  readonly bytesRead: number;
}

/**
 * Items of files and folders, in bounded batches. The last batch may be empty: it carries the final progress.
 *
 * @param onBad - called for each file, line or array item that is no record. Reading continues
 * @throws LamplightError `SOURCE__NO_SUCH_PATH` before the first batch
 */
export async function* readRecordFiles<Item>(
  paths: readonly string[],
  kind: RecordKind<Item>,
  onBad: (error: BadDump) => void,
): AsyncGenerator<{ readonly items: readonly Item[]; readonly progress: FilesProgress }> {
  const files = await listDumpFiles(paths);
  const bytesTotal = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  let items: Item[] = [];
  let itemsBytes = 0;
  let filesRead = 0;
  let bytesDone = 0;
  const progress = (bytesRead: number): FilesProgress => ({
    filesRead,
    filesTotal: files.length,
    bytesRead,
    bytesTotal,
  });
  for (const file of files) {
    for await (const reading of readRecords(file, kind)) {
      if (reading.fault !== null) onBad(reading.fault);
      for (const item of reading.items) {
        items.push(item);
        itemsBytes += kind.bytesOf(item);
        if (items.length < kind.batchItems && itemsBytes < kind.batchBytes) continue;
        yield { items, progress: progress(bytesDone + reading.bytesRead) };
        items = [];
        itemsBytes = 0;
      }
    }
    filesRead += 1;
    bytesDone += file.sizeBytes;
  }
  yield { items, progress: progress(bytesDone) };
}

async function* readRecords<Item>(file: DumpFile, kind: RecordKind<Item>): AsyncGenerator<Reading<Item>> {
  try {
    yield* isLineFile(file.path) ? readLineFile(file, kind) : readWholeFile(file, kind);
  } catch (cause) {
    yield faulty(file, `cannot be read: ${messageOf(cause)}`, file.sizeBytes);
  }
}

const isLineFile = (path: string): boolean => [".jsonl", ".ndjson"].includes(extname(path).toLowerCase());

async function* readLineFile<Item>(file: DumpFile, kind: RecordKind<Item>): AsyncGenerator<Reading<Item>> {
  for await (const { number, bytes, endBytes } of readLines(file.path, kind.lineBytesMax)) {
    const place = { line: number };
    if (bytes === null) yield faulty(file, kind.longLine, endBytes, place);
    else if (!isBlank(bytes)) yield readRecord(file, kind, () => kind.parseJson(bytes), endBytes, place);
  }
}

async function* readWholeFile<Item>(file: DumpFile, kind: RecordKind<Item>): AsyncGenerator<Reading<Item>> {
  const { sizeBytes } = file;
  if (sizeBytes > kind.fileBytesMax) {
    const reason = `is larger than ${kind.fileBytesMax} bytes: write one ${kind.name} per line and name it .ndjson`;
    return yield faulty(file, reason, sizeBytes);
  }
  const bytes = await readFile(file.path);
  if (kind.isInLines(bytes)) return yield* readLineFile(file, kind);
  let value: unknown;
  try {
    value = kind.parseJson(bytes);
  } catch (cause) {
    return yield faulty(file, messageOf(cause), sizeBytes);
  }
  if (!Array.isArray(value)) return yield readRecord(file, kind, () => value, sizeBytes, {});
  for (const [index, item] of value.entries())
    yield readRecord(file, kind, () => item as unknown, sizeBytes, { item: index + 1 });
}

interface Place {
  readonly line?: number;
  /** 1-based position in a file that holds an array. */
  readonly item?: number;
}

const readRecord = <Item>(
  file: DumpFile,
  kind: RecordKind<Item>,
  value: () => unknown,
  bytesRead: number,
  place: Place,
): Reading<Item> => {
  try {
    return { items: kind.parse(value(), file), fault: null, bytesRead };
  } catch (cause) {
    if (!kind.isFault(cause)) throw cause;
    return faulty(file, cause.message, bytesRead, place);
  }
};

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || byte === 13 || byte === 9);

const faulty = (
  { path }: DumpFile,
  reason: string,
  bytesRead: number,
  { line, item }: Place = {},
): Reading<never> => ({
  items: [],
  fault: new LamplightError("SOURCE__BAD_DUMP", {
    file: path,
    reason: item === undefined ? reason : `item ${item}: ${reason}`,
    ...(line === undefined ? {} : { line }),
  }),
  bytesRead,
});

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
