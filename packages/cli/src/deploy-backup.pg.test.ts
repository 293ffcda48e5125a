// Tests the guide's steps for backups of PostgreSQL, with PostgreSQL's own programs, while a process follows the chain
// into it.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBackupBinaries, startPostgres } from "@lamplight/postgres-test";
import { onTestFinished, test } from "vitest";
import { expectRestores } from "../test/backup-restore.ts";
import { FollowedChain } from "../test/followed-chain.ts";

const binaries = findBackupBinaries();
if (binaries === null)
  console.warn("SKIPPED: pg_dump and pg_restore are not tried: install a PostgreSQL (Debian: postgresql)");
const run = promisify(execFile);

test.skipIf(binaries === null)(
  "a PostgreSQL store is dumped while it is written, restored, sound, and followed on",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-dump-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const postgres = await startPostgres(binaries);
    onTestFinished(() => postgres.stop());
    const clean = `${postgres.url}?schema=clean`;
    const chain = await FollowedChain.start({ store: postgres.url, clean, seed: 32 });
    onTestFinished(() => chain.stop());
    const program = (name: string): string => join(binaries!.folder, "bin", name);
    const restoredUrl = postgres.url.replace(/postgres$/u, "restored");
    await expectRestores({
      chain,
      clean,
      backUpAndRestore: async () => {
        const dump = join(folder, "dump");
        const options = ["--format=directory", "--jobs=4", "--schema=lamplight"];
        await run(program("pg_dump"), [...options, `--file=${dump}`, `--dbname=${postgres.url}`]);
        await run(program("createdb"), [`--maintenance-db=${postgres.url}`, "restored"]);
        await run(program("pg_restore"), ["--jobs=4", "--exit-on-error", `--dbname=${restoredUrl}`, dump]);
        return restoredUrl;
      },
    });
  },
);
