import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { FOLDER_ENTRIES_MAX } from "../snapshot-limits.ts";
import { type ArchiveName, parseArchiveName } from "./archive-name.ts";
import { type ArchiveSource, openArchiveSource } from "./archive-source.ts";
import { isUrl } from "./archive-url.ts";
import { isReadable } from "./decompress.ts";

/** A full archive, and the incremental one that extends it, if any. */
export interface SnapshotSources {
  readonly full: ArchiveSource;
  readonly incremental: ArchiveSource | null;
}

/**
 * Finds archives by files, URLs or a folder. In a folder, it selects the newest full archive and the newest
 * incremental one that extends it.
 *
 * @param keepIn - see `openArchiveSource`; each archive gets a folder in it
 * @throws LamplightError `SOURCE__NO_SUCH_PATH`, `SOURCE__SNAPSHOT_REFUSED`, `SOURCE__DOWNLOAD`
 */
export const findSnapshotSources = async (
  full: string,
  incremental: string | null,
  keepIn: string | null = null,
): Promise<SnapshotSources> => {
  const chosen = await choose(full, incremental);
  const keep = (kind: string): string | null => (keepIn === null ? null : join(keepIn, kind));
  const sources = {
    full: await openArchiveSource(chosen.full, keep("full")),
    incremental:
      chosen.incremental === null ? null : await openArchiveSource(chosen.incremental, keep("incremental")),
  };
  assertNamesMatch(sources);
  return sources;
};

const choose = async (
  full: string,
  incremental: string | null,
): Promise<{ readonly full: string; readonly incremental: string | null }> => {
  if (isUrl(full) || !(await isFolder(full))) return { full, incremental };
  const archives = await listArchives(full);
  const newest = newestOf(archives, (name) => name.kind === "full", full);
  if (newest === null) throw refused(full, "the folder holds no full archive");
  const extending = newestOf(
    archives,
    (name) => name.kind === "incremental" && name.baseSlot === newest.name.slot,
    full,
  );
  return { full: newest.path, incremental: incremental ?? extending?.path ?? null };
};

/** Names that show the content are compared before anything is read; the content is compared later in any case. */
const assertNamesMatch = ({ full, incremental }: SnapshotSources): void => {
  if (full.name.kind === "incremental")
    throw refused(full.place, "it is an incremental archive; name its full archive first");
  if (incremental === null) return;
  if (incremental.name.kind === "full")
    throw refused(incremental.place, "it is a full archive, not an incremental one");
  const [base, slot] = [incremental.name.baseSlot, full.name.slot];
  if (base !== null && slot !== null && base !== slot) {
    throw refused(incremental.place, `it extends slot ${base}, and the full archive is of slot ${slot}`);
  }
};

interface FoundArchive {
  readonly path: string;
  readonly name: ArchiveName;
}

/** Archives of the folder, and of its subfolder `remote`, where a validator stores downloaded ones. */
const listArchives = async (folder: string): Promise<readonly FoundArchive[]> => {
  const found: FoundArchive[] = [];
  for (const place of [folder, join(folder, "remote")]) {
    const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
    if (entries.length > FOLDER_ENTRIES_MAX)
      throw refused(place, `it holds more than ${FOLDER_ENTRIES_MAX} files`);
    for (const entry of entries) {
      const name = entry.isDirectory() ? null : parseArchiveName(entry.name);
      if (name !== null) found.push({ path: join(place, entry.name), name });
    }
  }
  return found;
};

const newestOf = (
  archives: readonly FoundArchive[],
  isWanted: (name: ArchiveName) => boolean,
  folder: string,
): FoundArchive | null => {
  const wanted = archives.filter(({ name }) => isWanted(name));
  const newest = Math.max(...wanted.map(({ name }) => name.slot ?? 0));
  const ofNewest = wanted.filter(({ name }) => name.slot === newest);
  const hashes = new Set(ofNewest.map(({ name }) => name.hash));
  if (hashes.size > 1) {
    throw refused(folder, `archives of slot ${newest} with different hashes: ${[...hashes].join(", ")}`);
  }
  // A folder may contain the same archive in an older format as well.
  return ofNewest.find(({ name }) => isReadable(name.compression)) ?? ofNewest[0] ?? null;
};

const isFolder = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw new LamplightError("SOURCE__NO_SUCH_PATH", { path }, { cause });
  });
  return found.isDirectory();
};

const refused = (archive: string, reason: string): LamplightError<"SOURCE__SNAPSHOT_REFUSED"> =>
  new LamplightError("SOURCE__SNAPSHOT_REFUSED", { archive, reason });
