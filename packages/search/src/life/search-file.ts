import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { dumpIndex, restoreIndex, SAVED_INDEX_VERSION, type SavedIndex } from "../saved-index.ts";
import { type SavedSet } from "../bitmap/ordinal-set.ts";
import { type SearchIndex } from "../search-index.ts";
import { inTurns } from "./in-turns.ts";

/** Where the index of a store file is kept: beside it. */
export const searchFileOf = (storeFile: string): string => `${storeFile}.search`;

// A file is frames, each a length and a serialized value, then a frame of length 0 and the digest of all before it.
// Nothing is ever one buffer: at a hundred million assets the whole is several gigabytes.

const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
/** Bytes of a column, or blocks of a set, in one frame: written and hashed in a few milliseconds. */
const PART_BYTES = 4 * 2 ** 20;
const PART_BLOCKS = 512;
/** Far above what is written; a longer frame is no frame of ours. */
const FRAME_BYTES_MAX = 64 * 2 ** 20;

/** What says how to put the parts together; comes first. */
interface Header {
  readonly storeId: string;
  readonly version: number;
  readonly changeSeq: number;
  readonly doneSeq: number;
  readonly assets: number;
  readonly unsure: number;
  readonly orders: { readonly [order in keyof SavedIndex["orders"]]: number };
  readonly criteria: readonly SavedIndex["terms"][number]["criterion"][];
}

interface ArrayPart {
  readonly array: string;
  readonly at: number;
  readonly part: Uint8Array | Float64Array | Uint32Array;
}

interface SetPart {
  /** Index of the term; -1 = the existing assets. */
  readonly set: number;
  readonly blocks: SavedSet;
}

/**
 * Writes an index beside its store, whole or not at all. The index is copied first, and may go on while that is done and
 * while the copy is written in small parts.
 */
export const saveIndexFile = async (file: string, storeId: string, index: SearchIndex): Promise<void> => {
  const saved = await inTurns(dumpIndex(index));
  const partial = `${file}.partial`;
  try {
    const handle = await open(partial, "w");
    try {
      const hash = createHash("sha256");
      for (const value of framesOf(storeId, saved)) {
        const body = serialize(value);
        await writeHashed(handle, hash, Buffer.concat([lengthOf(body.length), body]));
      }
      await writeHashed(handle, hash, lengthOf(0));
      await handle.appendFile(hash.digest());
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
};

/**
 * Null when there is none, or it is damaged, of another store, of another version, or ahead of the store (which lost
 * its last commits, or was put back from a copy): it can always be made anew.
 *
 * @param changeSeq - where the store stands
 */
export const loadIndexFile = async (
  file: string,
  storeId: string,
  changeSeq: number,
): Promise<SearchIndex | null> => {
  const handle = await openOrNull(file);
  if (handle === null) return null;
  try {
    if (!(await isWhole(handle))) return null;
    const frames = readFrames(handle);
    const header = (await frames.next()).value as Header | undefined;
    if (header?.storeId !== storeId || header.version !== SAVED_INDEX_VERSION) return null;
    if (header.doneSeq > changeSeq) return null;
    return await inTurns(restoreIndex(await joinParts(header, frames)));
  } finally {
    await handle.close();
  }
};

function* framesOf(storeId: string, saved: SavedIndex): Generator<Header | ArrayPart | SetPart> {
  const { version, changeSeq, doneSeq, unsure, columns, orders, terms } = saved;
  yield {
    storeId,
    version,
    changeSeq,
    doneSeq,
    assets: columns.createdSlots.length,
    unsure: unsure.length,
    orders: { id: orders.id.length, created: orders.created.length, updated: orders.updated.length },
    criteria: terms.map(({ criterion }) => criterion),
  };
  for (const [array, all] of Object.entries({ unsure, ...columns, ...orders })) {
    const step = PART_BYTES / all.BYTES_PER_ELEMENT;
    for (let at = 0; at < all.length; at += step) yield { array, at, part: all.subarray(at, at + step) };
  }
  for (const [set, members] of [
    [-1, saved.existing] as const,
    ...terms.map((term, index) => [index, term.members] as const),
  ])
    for (let at = 0; at < members.length; at += PART_BLOCKS)
      yield { set, blocks: members.slice(at, at + PART_BLOCKS) };
}

const joinParts = async (header: Header, frames: AsyncGenerator<unknown>): Promise<SavedIndex> => {
  const { version, changeSeq, doneSeq, assets, criteria } = header;
  const unsure = new Uint32Array(header.unsure);
  const columns = {
    ids: new Uint8Array(assets * 32),
    createdSlots: new Float64Array(assets),
    updatedSlots: new Float64Array(assets),
  };
  const orders = {
    id: new Uint32Array(header.orders.id),
    created: new Uint32Array(header.orders.created),
    updated: new Uint32Array(header.orders.updated),
  };
  const arrays: { readonly [array: string]: { set(part: ArrayLike<number>, at: number): void } } = {
    unsure,
    ...columns,
    ...orders,
  };
  const existing: SavedSet[number][] = [];
  const members: SavedSet[number][][] = criteria.map(() => []);
  for await (const frame of frames as AsyncGenerator<ArrayPart | SetPart>)
    if ("array" in frame) arrays[frame.array]!.set(frame.part, frame.at);
    else (frame.set === -1 ? existing : members[frame.set]!).push(...frame.blocks);
  const terms = criteria.map((criterion, index) => ({ criterion, members: members[index]! }));
  return { version, changeSeq, unsure, doneSeq, columns, existing, orders, terms };
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
