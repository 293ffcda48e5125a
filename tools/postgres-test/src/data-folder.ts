import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "./account.ts";

/**
 * Makes `data` in an empty folder. `initdb` takes a second of processor time, so one file keeps what it made for all
 * later servers of the same version.
 *
 * @param native - folder of the programs
 * @throws Error with the words of the program that failed
 */
export const makeDataFolder = (native: string, scratch: string, account: Account | null): void => {
  const run = (program: string, ...args: readonly string[]): string => {
    const env = { PATH: process.env["PATH"] };
    const done = spawnSync(program, args, { ...account, cwd: scratch, encoding: "utf8", env });
    if (done.status !== 0) throw new Error(`${program} failed: ${done.error?.message ?? done.stderr}`);
    return done.stdout;
  };
  const owner = account?.uid ?? process.getuid?.();
  const version = run(join(native, "bin", "postgres"), "--version").replaceAll(/[^\w.]+/gu, "-");
  const settings = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const made = createHash("sha256").update(settings.join(" ")).digest("hex").slice(0, 8);
  const kept = join(tmpdir(), `lamplight-test-data-${version}${made}-${owner}.tar`);
  // Another account could have made a file of that name.
  const found = lstatSync(kept, { throwIfNoEntry: false });
  if (found?.uid === owner) {
    run("tar", "-xf", kept);
    return;
  }
  run(join(native, "bin", "initdb"), "-D", "data", ...settings);
  // Other processes see the whole file or none.
  run("tar", "-cf", "data.tar", "data");
  if (found === undefined) renameSync(join(scratch, "data.tar"), kept);
};
