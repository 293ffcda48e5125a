import { existsSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ROWS_FORMAT } from "@lamplight/core";
import { openStoreForWriting } from "@lamplight/runtime";

/**
 * A store that is built once per machine and kept among temporary files. A store of an earlier version gets the schema
 * of this one, as by `lamplight migrate`.
 *
 * @param version - a number that is raised when `build` writes something else
 */
export const keptStore = async (
  name: string,
  version: number,
  build: (file: string) => Promise<void>,
): Promise<string> => {
  const file = join(tmpdir(), `lamplight-bench-${name}-${version}-${ROWS_FORMAT}.db`);
  if (existsSync(file)) {
    await (await openStoreForWriting(`sqlite:${file}`, { create: false })).close();
    return file;
  }
  const partial = `${file}.partial`;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(partial + suffix, { force: true });
  await build(partial);
  renameSync(partial, file);
  return file;
};
