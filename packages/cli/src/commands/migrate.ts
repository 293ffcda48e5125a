import {
  exitCodes,
  isPostgresUrl,
  nameOfStore,
  openStoreForWriting,
  parseFlags,
  usageError,
} from "@lamplight/server/command";

import type { Command } from "../command.ts";

const usage = `--store URL [--distributed]

  --store  store to bring to the schema of this version, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE;
           made, empty, when there is none; or LAMPLIGHT_STORE
  --distributed
           on a PostgreSQL with the Citus extension: spreads the tables over its nodes, those that are not spread yet.
           Best before a load: what is there already is moved, which takes as long as writing it

Does nothing to a store that is there already, never goes back, and refuses a newer one. Nobody else may be writing the
store meanwhile. Every command that writes does the same by itself; this one does nothing else, for those who let
schemas be changed by an account of its own. Where it alters what somebody reads for long (a copy), it ends after a second,
and nothing is changed. Servers of an older version refuse the newer schema with their next session: start them anew.`;

export const migrateCommand: Command = {
  name: "migrate",
  summary: "bring a store to the schema of this version",
  usage,
  run: async (args) => {
    const { url, isDistributed } = readFlags(args);
    const store = await openStoreForWriting(url, { create: true });
    await store.close();
    process.stdout.write(`${nameOfStore(url)} has the schema of this version\n`);
    if (isDistributed) await distribute(url);
    return exitCodes.done;
  },
};

const distribute = async (url: string): Promise<void> => {
  const { distributePostgresStore } = await import("@lamplight/store-postgres");
  const { spread, everywhere, already } = await distributePostgresStore(url);
  process.stdout.write(
    `${spread.length} tables spread over the nodes, ${everywhere.length} put on every node, ${already.length} were so already\n`,
  );
};

const flags = { store: { type: "string" }, distributed: { type: "boolean" } } as const;

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (args: readonly string[]): { readonly url: string; readonly isDistributed: boolean } => {
  const { store, distributed: isDistributed = false } = parseFlags(args, flags);
  const url = store ?? process.env["LAMPLIGHT_STORE"];
  if (url === undefined || url === "") throw usageError("--store is missing");
  if (isDistributed && !isPostgresUrl(url)) throw usageError("--distributed is for a store in PostgreSQL");
  return { url, isDistributed };
};
