import type { IndexStore } from "@lamplight/core";
import { isLamplightError, usageError } from "@lamplight/errors";
import { exitCodes, parseFlags } from "@lamplight/server/command";
import { engineOf, nameOfStore, openStoreForWriting } from "@lamplight/runtime";

import type { Command } from "../command.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";

const usage = `--store URL [--create] [--distributed] [--json]

  --store  store to migrate to the schema of this version, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, or
           LAMPLIGHT_STORE
  --create
           create an empty store where there is none
  --distributed
           distribute the tables over the nodes of a PostgreSQL with the Citus extension. Tables that are distributed
           already stay. Do it before a load: data is moved, which takes as long as writing it
  --json   ${jsonUsage}

Updates the schema, and nothing else. Every command that writes does this too; use this one when another database
account changes schemas. A newer schema is refused. No other process may write the store at the same time. If a reader holds
a table for longer than a second (a copy), the command ends and changes nothing. Servers of an older version go on answering,
but refuse the newer schema when they start again.

A store whose rows have another format is refused and left as it is: its assets were derived by other rules. Load again, into a
new file or an empty schema, while the older version serves the old store.

Example:
  lamplight migrate --store sqlite:index.db`;

export const migrateCommand: Command = {
  name: "migrate",
  summary: "update a store to the schema of this version",
  usage,
  run: async (args) => {
    const { url, create, distribute, json } = readFlags(args);
    const opened = await openStoreOrHint(url, create);
    await opened.close();
    const store = nameOfStore(url);
    const spread = distribute === null ? null : spreadText(await distribute(url));
    createOutput(json).result({ event: "migrated", store, ...spread?.event }, [
      `${store} has the schema of this version`,
      ...(spread?.lines ?? []),
    ]);
    return exitCodes.done;
  },
};

/** A typo in the name must not make a store. */
const openStoreOrHint = async (url: string, create: boolean): Promise<IndexStore> => {
  try {
    return await openStoreForWriting(url, { create });
  } catch (error) {
    if (create || !isLamplightError(error, "STORE__MISSING")) throw error;
    throw usageError(
      `${nameOfStore(url)} does not exist; correct --store, or create an empty store with --create`,
      error,
    );
  }
};

type Distribute = NonNullable<ReturnType<typeof engineOf>["distribute"]>;

const spreadText = ({
  spread: spreadTables,
  everywhere: everywhereTables,
  already: alreadyTables,
}: Awaited<ReturnType<Distribute>>): { readonly event: object; readonly lines: readonly string[] } => {
  const line = `${spreadTables} tables spread over the nodes, ${everywhereTables} put on every node, ${alreadyTables} were so already`;
  return { event: { spreadTables, everywhereTables, alreadyTables }, lines: [line] };
};

const flags = {
  store: { type: "string" },
  create: { type: "boolean" },
  distributed: { type: "boolean" },
  ...jsonOption,
} as const;

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (
  args: readonly string[],
): {
  readonly url: string;
  readonly create: boolean;
  /** Null = not asked for. */
  readonly distribute: Distribute | null;
  readonly json: boolean | undefined;
} => {
  const { store, create = false, distributed: isDistributed = false, json } = parseFlags(args, flags);
  const url = store ?? process.env["LAMPLIGHT_STORE"];
  if (url === undefined || url === "") throw usageError("--store is missing");
  const distribute = isDistributed ? engineOf(url).distribute : null;
  if (isDistributed && distribute === null) throw usageError("--distributed is for a store in PostgreSQL");
  return { url, create, distribute, json };
};
