// Tests the guide's steps for backups of a store file, while a process follows the chain into it.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { expectRestores } from "../test/backup-restore.ts";
import { FollowedChain } from "../test/followed-chain.ts";
import { runCommand } from "../test/run-command.ts";

test("a store file is backed up while it is written, restored, sound, and followed on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = (name: string): string => `sqlite:${join(folder, name)}`;
  const chain = await FollowedChain.start({ store: url("live.db"), clean: url("unused.db"), seed: 31 });
  onTestFinished(() => chain.stop());
  await expectRestores({
    chain,
    clean: url("clean.db"),
    backUpAndRestore: async () => {
      const made = await runCommand(["backup", "--store", chain.store, "--to", join(folder, "backup.db")]);
      expect([made.exitCode, made.stderr]).toEqual([0, ""]);
      cpSync(join(folder, "backup.db"), join(folder, "restored.db"));
      return url("restored.db");
    },
  });
});
