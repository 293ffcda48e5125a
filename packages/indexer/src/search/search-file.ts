import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { dumpIndex, restoreIndex, type SavedIndex, type SearchIndex } from "@lamplight/search";

/** Where the index of a store file is kept: beside it. */
export const searchFileOf = (storeFile: string): string => `${storeFile}.search`;

/** Digest first, then the body: a torn or foreign file is noticed and the index rebuilt. */
const DIGEST_BYTES = 32;

interface SavedFile {
  readonly storeId: string;
  readonly index: SavedIndex;
}

/** Writes an index beside its store, whole or not at all. */
export const saveIndexFile = (file: string, storeId: string, index: SearchIndex): void => {
  const body = serialize({ storeId, index: dumpIndex(index) } satisfies SavedFile);
  const partial = `${file}.partial`;
  try {
    writeFileSync(partial, Buffer.concat([digestOf(body), body]));
    renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
};

/** Null when there is none, or it is damaged, of another store or of another version: it can always be made anew. */
export const loadIndexFile = (file: string, storeId: string): SearchIndex | null => {
  const bytes = readOrNull(file);
  if (bytes === null || bytes.length <= DIGEST_BYTES) return null;
  const body = bytes.subarray(DIGEST_BYTES);
  if (!digestOf(body).equals(bytes.subarray(0, DIGEST_BYTES))) return null;
  const saved = deserialize(body) as SavedFile;
  return saved.storeId === storeId ? restoreIndex(saved.index) : null;
};

const readOrNull = (file: string): Buffer | null => {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

const digestOf = (body: Buffer): Buffer => createHash("sha256").update(body).digest();
