// The thread that checkpoints, on a disk that is really full: a small file system of its own, where that may be mounted.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { CheckpointThread } from "./checkpoint-thread.ts";

const DISK_BYTES = 16 * 1024 ** 2;
const ROW_BYTES = 2 * 1024 ** 2;
const RETRY_MS = 20;

const folder = mkdtempSync(join(tmpdir(), "lamplight-checkpoint-"));
const isMounted =
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder]).status === 0;
if (!isMounted) console.warn("a test of a full disk is skipped: no file system can be mounted here");
afterAll(() => {
  if (isMounted) spawnSync("umount", ["-l", folder]);
  rmSync(folder, { recursive: true });
});

const freeBytes = (): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

test.skipIf(!isMounted)(
  "pages that the disk refuses are reported once, and moved without another commit",
  async () => {
    const file = join(folder, "index.db");
    const writer = new DatabaseSync(file);
    writer.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (bytes BLOB)`);
    const put = writer.prepare("INSERT INTO rows VALUES (?)");
    put.run(new Uint8Array(ROW_BYTES).fill(1));
    const ballast = join(folder, "ballast");
    writeFileSync(ballast, new Uint8Array(freeBytes()));
    const reasons: (string | null)[] = [];
    const failures: Error[] = [];
    const thread = new CheckpointThread(
      file,
      { onFailure: (error) => failures.push(error), onRefused: (reason) => reasons.push(reason) },
      { retryMs: RETRY_MS },
    );
    onTestFinished(async () => {
      await thread.stop();
      writer.close();
    });
    expect(thread.isRefused).toBe(false);
    thread.committed();
    while (!thread.isRefused) await sleep(1);
    // It tries in vain some times, and says so once.
    await sleep(5 * RETRY_MS);
    expect(reasons).toEqual([expect.stringMatching(/full/u)]);
    rmSync(ballast);
    while (thread.isRefused) await sleep(1);
    expect(reasons).toEqual([expect.stringMatching(/full/u), null]);
    expect(failures).toEqual([]);
    expect(statSync(file).size).toBeGreaterThan(ROW_BYTES);
  },
);
