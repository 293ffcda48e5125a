import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

export const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** The command, without the second that `npx` takes to find it. */
const pnpm = join(repository, "node_modules/.bin/pnpm");

/**
 * Packs every public package, which must be built, into a folder that it empties first.
 *
 * @returns the tarballs
 */
export const packPackages = async (folder: string): Promise<readonly string[]> => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tarballs: string[] = [];
  for (const name of readdirSync(join(repository, "packages"))) {
    const cwd = join(repository, "packages", name);
    const { version } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")) as { version: string };
    const tarball = join(folder, `lamplight-${name}-${version}.tgz`);
    await run(pnpm, ["pack", "--out", tarball], { cwd });
    tarballs.push(tarball);
  }
  return tarballs;
};
