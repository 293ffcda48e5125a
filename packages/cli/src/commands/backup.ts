import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { LamplightError } from "@lamplight/errors";
import { exitCodes, firstSentence, isPostgresUrl, parseStoreUrl } from "@lamplight/server/command";
import { backupSqliteStore } from "@lamplight/store-sqlite";

import type { Command } from "../command.ts";
import { createProgress } from "../progress.ts";

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
  run: async (args) => {
    const { from, to } = parseFlags(args);
    const stopping = new AbortController();
    const stop = (): void => stopping.abort(new Error("stopped; nothing was made"));
    process.once("SIGINT", stop).once("SIGTERM", stop);
    const progress = createProgress("percent");
    try {
      const watermark = await backupSqliteStore({
        from,
        to,
        onProgress: (share) => progress.update({ done: share, total: 1, count: Math.floor(100 * share) }),
        signal: stopping.signal,
      });
      progress.end();
      const at = watermark === null ? "before its first slot" : `at slot ${watermark.slot}`;
      process.stdout.write(`${to} holds ${from} ${at}\n`);
      return exitCodes.done;
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      process.stderr.write("stopped; nothing was made\n");
      return exitCodes.failed;
    } finally {
      progress.end();
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
  },
};

/** @throws LamplightError `CLI__USAGE`, `STORE__URL`, `STORE__MISSING`, `STORE__EXISTS` */
const parseFlags = (args: readonly string[]): { readonly from: string; readonly to: string } => {
  let parsed;
  try {
    const options = { store: { type: "string" }, to: { type: "string" } } as const;
    parsed = parseArgs({ args: [...args], options, strict: true });
  } catch (cause) {
    throw new LamplightError("CLI__USAGE", { reason: firstSentence((cause as Error).message) }, { cause });
  }
  const { store, to } = parsed.values;
  if (store === undefined) throw usageError("--store sqlite:FILE is missing");
  if (to === undefined) throw usageError("--to FILE is missing");
  if (isPostgresUrl(store))
    throw usageError("a store in PostgreSQL is backed up by pg_dump or continuous archiving");
  const from = parseStoreUrl(store).file;
  if (!existsSync(from)) throw new LamplightError("STORE__MISSING", { store: from });
  if (existsSync(to)) throw new LamplightError("STORE__EXISTS", { store: to });
  return { from, to };
};

const usageError = (reason: string): LamplightError<"CLI__USAGE"> =>
  new LamplightError("CLI__USAGE", { reason });
