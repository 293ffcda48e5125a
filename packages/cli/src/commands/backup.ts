import { existsSync } from "node:fs";
import { LamplightError, usageError } from "@lamplight/errors";
import { exitCodes, parseFlags } from "@lamplight/server/command";
import { createProgress, engineOf, runStoppable } from "@lamplight/runtime";

import type { Command } from "../command.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";

const usage = `--store sqlite:FILE --to FILE [--json]

  --store  store to copy; it may be served and written at the same time
  --to     file to create; it must not exist
  --json   ${jsonUsage}

The backup holds the store at its last slot when the command started. Every page is checked before the file gets its name.
To restore it, stop all processes of the store, delete FILE-wal, FILE-shm and FILE.search, and put the backup in its place.
For a store in PostgreSQL use pg_dump or continuous archiving.

Example:
  lamplight backup --store sqlite:index.db --to index-copy.db`;

export const backupCommand: Command = {
  name: "backup",
  summary: "copy a store file while it is served and written",
  usage,
  run: (args) => {
    const { store, from, to, backup, json } = readFlags(args);
    const output = createOutput(json);
    const progress = createProgress("percent", output.progress);
    return runStoppable({
      run: async (signal) => {
        try {
          const watermark = await backup(store, {
            to,
            onProgress: (share) => progress.update({ done: share, total: 1, count: Math.floor(100 * share) }),
            signal,
          });
          progress.end();
          const at = watermark === null ? "before its first slot" : `at slot ${watermark.slot}`;
          const slot = watermark?.slot ?? null;
          output.result({ event: "backed up", store: from, to, slot }, [`${to} holds ${from} ${at}`]);
          return exitCodes.done;
        } finally {
          progress.end();
        }
      },
      onStopped: () => output.note("stopped; nothing was made"),
    });
  },
};

/** @throws LamplightError `CLI__USAGE`, `STORE__URL`, `STORE__MISSING`, `STORE__EXISTS` */
const readFlags = (
  args: readonly string[],
): {
  readonly store: string;
  readonly from: string;
  readonly to: string;
  readonly backup: Exclude<ReturnType<typeof engineOf>["backup"], string>;
  readonly json: boolean | undefined;
} => {
  const { store, to, json } = parseFlags(args, {
    store: { type: "string" },
    to: { type: "string" },
    ...jsonOption,
  });
  if (store === undefined) throw usageError("--store sqlite:FILE is missing");
  if (to === undefined) throw usageError("--to FILE is missing");
  const engine = engineOf(store);
  const { backup } = engine;
  if (typeof backup === "string") throw usageError(backup);
  const from = engine.fileOf(store) ?? store;
  if (!existsSync(from)) throw new LamplightError("STORE__MISSING", { store: from });
  if (existsSync(to)) throw new LamplightError("STORE__EXISTS", { store: to });
  return { store, from, to, backup, json };
};
