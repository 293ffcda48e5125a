import { parseArgs } from "node:util";
import { LamplightError } from "@lamplight/errors";
import { exitCodes, firstSentence, nameOfStore, openStoreForWriting } from "@lamplight/server/command";

import type { Command } from "../command.ts";

const usage = `--store URL

  --store  store to bring to the schema of this version, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE;
           made, empty, when there is none

Does nothing to a store that is there already, never goes back, and refuses a newer one. Nobody else may be writing the
store meanwhile. Every command that writes does the same by itself; this one does nothing else, for those who let
schemas be changed by an account of its own. Servers of an older version go on reading until they are started anew.`;

export const migrateCommand: Command = {
  name: "migrate",
  summary: "bring a store to the schema of this version",
  usage,
  run: async (args) => {
    const url = parseFlags(args);
    const store = await openStoreForWriting(url, { create: true });
    await store.close();
    process.stdout.write(`${nameOfStore(url)} has the schema of this version\n`);
    return exitCodes.done;
  },
};

/** @throws LamplightError `CLI__USAGE` */
const parseFlags = (args: readonly string[]): string => {
  try {
    const { values } = parseArgs({ args: [...args], options: { store: { type: "string" } }, strict: true });
    if (values.store !== undefined) return values.store;
  } catch (cause) {
    throw new LamplightError("CLI__USAGE", { reason: firstSentence((cause as Error).message) }, { cause });
  }
  throw new LamplightError("CLI__USAGE", { reason: "--store is missing" });
};
