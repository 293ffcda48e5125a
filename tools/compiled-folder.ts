import { existsSync, globSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A run takes some 100 MB, and each changed source takes one more file of it. */
const COMPILED_BYTES_MAX = 512 * 2 ** 20;

/** A folder where Node keeps the code that it has compiled, for later runs. One that has grown too large is removed. */
export const compiledFolder = (): string => {
  const folder = join(tmpdir(), "lamplight-test-compiled");
  const bytes = globSync("**/*", { cwd: folder }).reduce((sum, file) => sum + bytesOf(join(folder, file)), 0);
  if (bytes > COMPILED_BYTES_MAX && existsSync(folder)) {
    // Commands of another run write into a folder of this name while it is removed.
    const old = `${folder}-${process.pid}`;
    renameSync(folder, old);
    rmSync(old, { recursive: true, force: true });
  }
  return folder;
};

/** Another run may remove it at the same time. */
const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
