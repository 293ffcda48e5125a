import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { FOLDER_DEPTH_LIMIT } from "./dump-limits.ts";

export interface DumpFile {
  readonly path: string;
  readonly sizeBytes: number;
}

const dumpExtensions: ReadonlySet<string> = new Set([".json", ".jsonl", ".ndjson"]);

/**
 * The files behind paths, in the order they are loaded: paths as given, folders entered recursively with their
 * entries sorted by name (code units, so the same on every machine). A file named directly is taken regardless of its
 * name; in folders only .json, .jsonl and .ndjson are.
 *
 * @throws LamplightError `SOURCE__NO_SUCH_PATH`, `SOURCE__BAD_DUMP` for folders nested without end
 */
export const listDumpFiles = async (paths: readonly string[]): Promise<readonly DumpFile[]> => {
  const files: DumpFile[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((cause: unknown) => {
      throw new LamplightError("SOURCE__NO_SUCH_PATH", { path }, { cause });
    });
    if (found.isDirectory()) await listFolder(path, 1, files);
    else files.push({ path, sizeBytes: found.size });
  }
  return files;
};

const listFolder = async (folder: string, depth: number, files: DumpFile[]): Promise<void> => {
  if (depth > FOLDER_DEPTH_LIMIT) {
    throw new LamplightError("SOURCE__BAD_DUMP", {
      file: folder,
      reason: `folders are nested deeper than ${FOLDER_DEPTH_LIMIT}`,
    });
  }
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await listFolder(path, depth + 1, files);
    else if (dumpExtensions.has(extname(entry.name).toLowerCase())) {
      const found = await stat(path).catch(() => null);
      if (found?.isFile()) files.push({ path, sizeBytes: found.size });
    }
  }
};
