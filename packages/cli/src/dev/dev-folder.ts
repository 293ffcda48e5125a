import { renameSync, rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LamplightError } from "@lamplight/errors";

const prefix = "lamplight-demo-";
const lockFile = "lock";

/** A temporary folder that belongs to this process until it is removed. */
export interface DevFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates a folder, and removes those of commands that were killed. A lock of the system marks a folder as in use: it ends
 * with its process, and is seen from other containers, which have process ids of their own.
 *
 * @throws LamplightError `CLI__TEMPORARY_FOLDER`
 */
export const createDevFolder = async (parent = tmpdir()): Promise<DevFolder> => {
  await removeLeftFolders(parent);
  const path = await mkdtemp(join(parent, prefix)).catch((cause: NodeJS.ErrnoException) => {
    throw unusable(parent, cause.code ?? cause.message, cause);
  });
  const lock = lockFolder(parent, path);
  return {
    path,
    remove: async () => {
      lock.close();
      await rm(path, { recursive: true, force: true });
    },
  };
};

const removeLeftFolders = async (parent: string): Promise<void> => {
  // A folder may be writable and not readable.
  for (const name of await readdir(parent).catch((): string[] => []))
    if (name.startsWith(prefix)) await removeIfLeft(join(parent, name));
};

/**
 * A folder of another user stays: that user's next command removes it. It is not looked into, because every user may write to
 * the parent: a pipe in the place of the lock would block, and a link would lead elsewhere.
 */
const removeIfLeft = async (folder: string): Promise<void> => {
  const stat = await lstat(folder).catch(() => null);
  if (stat?.isDirectory() !== true || stat.uid !== (process.getuid?.() ?? stat.uid)) return;
  const names = await readdir(folder).catch((): string[] => []);
  // Its command has only just created a folder that has no lock file.
  if (!names.includes(lockFile)) return;
  const lock = tryLock(join(folder, lockFile));
  if (lock === null) return;
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  lock.close();
};

/** The file gets its name once it is locked, so that no other command finds it unlocked. */
const lockFolder = (parent: string, folder: string): DatabaseSync => {
  const unnamed = join(folder, `${lockFile}.new`);
  const lock = tryLock(unnamed);
  if (lock === null) {
    rmSync(folder, { recursive: true, force: true });
    throw unusable(parent, "no file can be locked there");
  }
  renameSync(unnamed, join(folder, lockFile));
  return lock;
};

const unusable = (folder: string, reason: string, cause?: unknown): LamplightError =>
  new LamplightError("CLI__TEMPORARY_FOLDER", { folder, reason }, { cause });

/** SQLite locks files as the system offers it, which Node itself does not. Null where another process has the lock. */
const tryLock = (file: string): DatabaseSync | null => {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch {
    database?.close();
    return null;
  }
};
