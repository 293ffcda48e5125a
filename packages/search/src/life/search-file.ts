import { createHash, type Hash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type ReadView, REMOVALS_KEPT_CHANGES } from "@lamplight/core";
import { dumpIndex, restoreIndex, SAVED_INDEX_VERSION, type SavedIndex } from "../saved-index.ts";
import type { SavedSlots } from "../slot-column.ts";
import { type SavedSet } from "../bitmap/ordinal-set.ts";
import { type SearchIndex } from "../search-index.ts";
import { inTurns } from "./in-turns.ts";

/** Where the index of a store file is kept: next to it, regardless of the link that names it. */
export const searchFileOf = (storeFile: string): string =>
  `${existsSync(storeFile) ? realpathSync(storeFile) : storeFile}.search`;

/** Names the store of a saved index, and what of it is in there. */
export interface SavedState {
  readonly storeId: string;
  /** Names the opening for writing that wrote last; null = of a store without a history. */
  readonly writer: string | null;
  readonly changeSeq: number;
  /** Nothing in the index is of a later change. */
  readonly doneSeq: number;
}

/** An index as it was saved, and who had written last. */
export interface LoadedIndex {
  readonly index: SearchIndex;
  readonly writer: string | null;
}

// A file is frames, each a length and a serialized value, then a frame of length 0 and the digest of all before it.
// Nothing is ever one buffer: at a hundred million assets the whole is several gigabytes.

const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
/** Bytes of an array, or blocks of a set, in one frame: written and hashed in a few milliseconds, as a part of a column is. */
const PART_BYTES = 4 * 2 ** 20;
const PART_BLOCKS = 512;
/** Far above what is written; a longer frame is no frame of ours. */
const FRAME_BYTES_MAX = 64 * 2 ** 20;

/** A save that wrote nothing for so long has ended with its process. The index is copied before the first byte. */
const SAVE_SILENCE_MS = 5 * 60_000;

/** The header says how to put the parts together, and comes first. */
interface Header extends SavedState {
  readonly version: number;
  readonly assets: number;
  readonly unsure: number;
  readonly tied: number;
  readonly laterCreated: SavedSlots["later"];
  readonly laterUpdated: SavedSlots["later"];
  readonly criteria: readonly SavedIndex["terms"][number]["criterion"][];
}

interface ArrayPart {
  readonly array: string;
  readonly at: number;
  readonly part: Uint8Array | Uint32Array;
}

/** Of a column or an order, in its order. */
interface ColumnPart {
  readonly column: string;
  readonly part: Uint32Array;
}

interface SetPart {
  /** Index of the term; -1 = the existing assets. */
  readonly set: number;
  readonly blocks: SavedSet;
}

/**
 * Writes a complete file or none. The index is copied first. It may change while that happens and while the copy
 * is written in small parts. The unfinished file is the lock of all processes that share the finished one.
 *
 * @param of - asked once the copy is done: `writer` has written all that is in it
 * @returns false where another process is saving its own, or the index is catching up
 */
export const saveIndexFile = async (
  file: string,
  of: () => Pick<SavedState, "storeId" | "writer">,
  index: SearchIndex,
): Promise<boolean> => {
  const partial = `${file}.partial`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await createAlone(partial);
  if (handle === null) return false;
  let isDone = false;
  try {
    // Read in pages, it may be the state at no change at the moment.
    if (!index.isAt(index.changeSeq)) return false;
    const saved = await inTurns(dumpIndex(index));
    const hash = createHash("sha256");
    for (const value of framesOf(of(), saved)) {
      const body = serialize(value);
      await writeHashed(handle, hash, Buffer.concat([lengthOf(body.length), body]));
    }
    await writeHashed(handle, hash, lengthOf(0));
    await handle.appendFile(hash.digest());
    // Another process may have taken this one for ended, and write under the same name.
    if (!(await isStillThere(handle, partial))) return false;
    await rename(partial, file);
    isDone = true;
    return true;
  } finally {
    if (!isDone && (await isStillThere(handle, partial))) await rm(partial, { force: true });
    await handle.close();
  }
};

/** When a saved index was written, in milliseconds since 1970; null when there is none. */
export const savedAtMs = async (file: string): Promise<number | null> => {
  const handle = await openOrNull(file);
  if (handle === null) return null;
  try {
    return Math.floor((await handle.stat()).mtimeMs);
  } finally {
    await handle.close();
  }
};

/**
 * Null when there is none, or it is damaged, of another version, or not of this store's present: it can always be made
 * again.
 *
 * @param isOurs - see `isPartOf`
 */
export const loadIndexFile = async (
  file: string,
  isOurs: (saved: SavedState) => Promise<boolean>,
): Promise<LoadedIndex | null> => {
  const handle = await openOrNull(file);
  if (handle === null) return null;
  try {
    if (!(await isWhole(handle))) return null;
    const frames = readFrames(handle);
    const header = (await frames.next()).value as Header | undefined;
    if (header?.version !== SAVED_INDEX_VERSION || !(await isOurs(header))) return null;
    const index = await inTurns(restoreIndex(await joinParts(header, frames)));
    return index === null ? null : { index, writer: header.writer };
  } finally {
    await handle.close();
  }
};

/**
 * Whether the store continued from a saved index: not if it is another one, lost its last commits, or was restored to an
 * earlier state, written on since or not. Nor where it went on so far that it no longer shows what was removed.
 */
export const isPartOf = async (
  { storeId, writer, changeSeq, doneSeq }: SavedState,
  { terms }: Pick<ReadView, "terms">,
): Promise<boolean> => {
  if (storeId !== terms.storeId || doneSeq > terms.changeSeq) return false;
  if (changeSeq < terms.changeSeq - REMOVALS_KEPT_CHANGES) return false;
  const { history } = terms;
  if (history === undefined || writer === null) return history === undefined && writer === null;
  return doneSeq <= ((await history.through(writer)) ?? -1);
};

function* framesOf(
  of: Pick<SavedState, "storeId" | "writer">,
  saved: SavedIndex,
): Generator<Header | ArrayPart | ColumnPart | SetPart> {
  const { version, changeSeq, doneSeq, unsure, columns, terms } = saved;
  yield {
    ...of,
    version,
    changeSeq,
    doneSeq,
    assets: columns.length,
    unsure: unsure.length,
    tied: columns.tied.ordinals.length,
    laterCreated: columns.createdSlots.later,
    laterUpdated: columns.updatedSlots.later,
    criteria: terms.map(({ criterion }) => criterion),
  };
  for (const [array, all] of Object.entries(arraysOf(saved))) {
    const step = PART_BYTES / all.BYTES_PER_ELEMENT;
    for (let at = 0; at < all.length; at += step) yield { array, at, part: all.subarray(at, at + step) };
  }
  for (const [column, parts] of Object.entries(columnsOf(saved)))
    for (const part of parts) yield { column, part };
  for (const [set, members] of [
    [-1, saved.existing] as const,
    ...terms.map((term, index) => [index, term.members] as const),
  ])
    for (let at = 0; at < members.length; at += PART_BLOCKS)
      yield { set, blocks: members.slice(at, at + PART_BLOCKS) };
}

/** The short arrays of a saved index by their names in a file. */
const arraysOf = ({ unsure, columns }: Pick<SavedIndex, "unsure"> & ShortColumns) => ({
  unsure,
  tied: columns.tied.ordinals,
  tiedIds: columns.tied.ids,
});

interface ShortColumns {
  readonly columns: Pick<SavedIndex["columns"], "tied">;
}

/** The long ones. */
const columnsOf = ({ columns, orders }: Pick<SavedIndex, "columns" | "orders">) => ({
  words: columns.words,
  bytes: columns.bytes,
  createdSlots: columns.createdSlots.slots,
  updatedSlots: columns.updatedSlots.slots,
  ...orders,
});

const joinParts = async (header: Header, frames: AsyncGenerator<unknown>): Promise<SavedIndex> => {
  const { version, changeSeq, doneSeq, assets, criteria } = header;
  const unsure = new Uint32Array(header.unsure);
  const tied = { ordinals: new Uint32Array(header.tied), ids: new Uint8Array(header.tied * 32) };
  const parts = {
    words: [] as Uint32Array[],
    bytes: [] as Uint32Array[],
    createdSlots: [] as Uint32Array[],
    updatedSlots: [] as Uint32Array[],
    id: [] as Uint32Array[],
    created: [] as Uint32Array[],
    updated: [] as Uint32Array[],
  };
  const { words, bytes, id, created, updated } = parts;
  const columns = {
    length: assets,
    words,
    bytes,
    createdSlots: { slots: parts.createdSlots, later: header.laterCreated },
    updatedSlots: { slots: parts.updatedSlots, later: header.laterUpdated },
    tied,
  };
  const arrays: { readonly [array: string]: { set(part: ArrayLike<number>, at: number): void } } = arraysOf({
    unsure,
    columns,
  });
  const existing: SavedSet[number][] = [];
  const members: SavedSet[number][][] = criteria.map(() => []);
  for await (const frame of frames as AsyncGenerator<ArrayPart | ColumnPart | SetPart>)
    if ("column" in frame) parts[frame.column as keyof typeof parts].push(frame.part);
    else if ("array" in frame) arrays[frame.array]!.set(frame.part, frame.at);
    else (frame.set === -1 ? existing : members[frame.set]!).push(...frame.blocks);
  const terms = criteria.map((criterion, index) => ({ criterion, members: members[index]! }));
  return { version, changeSeq, unsure, doneSeq, columns, existing, orders: { id, created, updated }, terms };
};

/** Whether the digest at the end is that of everything before it: a torn or foreign file is noticed before it is read. */
const isWhole = async (handle: FileHandle): Promise<boolean> => {
  const { size } = await handle.stat();
  if (size < DIGEST_BYTES + LENGTH_BYTES) return false;
  const hash = createHash("sha256");
  const end = size - DIGEST_BYTES;
  for (let at = 0; at < end; at += PART_BYTES) {
    const part = await readAt(handle, at, Math.min(PART_BYTES, end - at));
    if (part === null) return false;
    hash.update(part);
  }
  return (await readAt(handle, end, DIGEST_BYTES))?.equals(hash.digest()) === true;
};

/** Values in order; ends at the empty frame, or at anything that is no frame. */
async function* readFrames(handle: FileHandle): AsyncGenerator<unknown> {
  for (let at = 0; ;) {
    const length = (await readAt(handle, at, LENGTH_BYTES))?.readUInt32LE() ?? 0;
    if (length === 0 || length > FRAME_BYTES_MAX) return;
    const body = await readAt(handle, at + LENGTH_BYTES, length);
    if (body === null) return;
    yield deserialize(body);
    at += LENGTH_BYTES + length;
  }
}

/** Null when the file ends before. */
const readAt = async (handle: FileHandle, at: number, length: number): Promise<Buffer | null> => {
  const buffer = Buffer.allocUnsafeSlow(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return bytesRead === length ? buffer : null;
};

const writeHashed = async (handle: FileHandle, hash: Hash, bytes: Buffer): Promise<void> => {
  hash.update(bytes);
  await handle.appendFile(bytes);
};

const lengthOf = (length: number): Buffer => {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32LE(length);
  return bytes;
};

const openOrNull = async (file: string): Promise<FileHandle | null> => {
  try {
    return await open(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

/** Null while another process is at work on it. */
const createAlone = async (file: string): Promise<FileHandle | null> => {
  for (;;)
    try {
      return await open(file, "wx");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const found = await stat(file).catch(() => null);
      // A time in the future is that of a clock that was wrong.
      if (found !== null && Math.abs(Date.now() - found.mtimeMs) < SAVE_SILENCE_MS) return null;
      await rm(file, { force: true });
    }
};

const isStillThere = async (handle: FileHandle, file: string): Promise<boolean> => {
  const found = await stat(file).catch(() => null);
  return found?.ino === (await handle.stat()).ino;
};
