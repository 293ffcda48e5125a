import { existsSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";
import { exitCodes, isPostgresUrl, parseFlags, parseStoreUrl, usageError } from "@lamplight/server/command";
import { backupSqliteStore } from "@lamplight/store-sqlite";

import type { Command } from "../command.ts";
import { createProgress } from "../progress.ts";
import { runStoppable } from "../stoppable.ts";

const usage = `--store sqlite:FILE --to FILE

  --store  store to copy, which may be served and written meanwhile
  --to     file to make; nothing may lie there

The backup is the store at its last slot when the command began, checked page by page before it gets its name: serve it,
verify it, or put it in the store's place while nothing runs there (without the old FILE-wal, FILE-shm and FILE.search).
Of a store in PostgreSQL: pg_dump, or continuous archiving.`;

export const backupCommand: Command = {
  name: "backup",
  summary: "copy a store file at one moment, while it is served and written",
  usage,
  run: (args) => {
    const { from, to } = readFlags(args);
    const progress = createProgress("percent");
    return runStoppable({
      run: async (signal) => {
        try {
          const watermark = await backupSqliteStore({
            from,
            to,
            onProgress: (share) => progress.update({ done: share, total: 1, count: Math.floor(100 * share) }),
            signal,
          });
          progress.end();
          const at = watermark === null ? "before its first slot" : `at slot ${watermark.slot}`;
          process.stdout.write(`${to} holds ${from} ${at}\n`);
          return exitCodes.done;
        } finally {
          progress.end();
        }
      },
      onStopped: () => void process.stderr.write("stopped; nothing was made\n"),
    });
  },
};

/** @throws LamplightError `CLI__USAGE`, `STORE__URL`, `STORE__MISSING`, `STORE__EXISTS` */
const readFlags = (args: readonly string[]): { readonly from: string; readonly to: string } => {
  const { store, to } = parseFlags(args, { store: { type: "string" }, to: { type: "string" } });
  if (store === undefined) throw usageError("--store sqlite:FILE is missing");
  if (to === undefined) throw usageError("--to FILE is missing");
  if (isPostgresUrl(store))
    throw usageError("a store in PostgreSQL is backed up by pg_dump or continuous archiving");
  const from = parseStoreUrl(store).file;
  if (!existsSync(from)) throw new LamplightError("STORE__MISSING", { store: from });
  if (existsSync(to)) throw new LamplightError("STORE__EXISTS", { store: to });
  return { from, to };
};
