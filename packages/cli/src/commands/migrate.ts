import type { IndexStore } from "@lamplight/core";
import { isLamplightError, usageError } from "@lamplight/errors";
import { exitCodes, parseFlags } from "@lamplight/server/command";
import { engineOf, nameOfStore, openStoreForWriting } from "@lamplight/runtime";

import type { Command } from "../command.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";
import { storeUrlOf } from "../store-flag.ts";

const usage = `--store URL [--dry-run] [--create] [--json]

  --store  store to migrate to the schema of this version, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, or
           LAMPLIGHT_STORE
  --dry-run
           print the steps with the tables that they lock and the sizes of these, and change nothing
  --create
           create an empty store where there is none
  --json   ${jsonUsage}

Updates the schema step by step, each in one transaction, and nothing else. A file is updated by every command that writes
it. A database is not: there every other command refuses an older schema, unless --auto-migrate or auto_migrate=on in its
URL allows it. A newer schema is refused. No other process may write the store at the same time. If a reader holds
a table for longer than a second (a copy), the command ends at that step and changes nothing more. Servers of an older
version go on answering, but refuse the newer schema when they start again.

A store whose rows have another format is refused and left as it is. Load again, into a new file or an empty schema, while
the older version serves the old store. For assets that were derived by other rules, see lamplight derive.

Examples:
  lamplight migrate --store sqlite:index.db
  lamplight migrate --store postgres://writer@db/lamplight --dry-run`;

export const migrateCommand: Command = {
  name: "migrate",
  summary: "update a store to the schema of this version",
  usage,
  run: async (args) => {
    const { url, create, dryRun, json } = readFlags(args);
    const store = nameOfStore(url);
    if (dryRun) {
      const plan = await engineOf(url).planMigration(url);
      createOutput(json).result({ event: "planned", store, ...plan }, planLines(store, plan));
      return exitCodes.done;
    }
    const opened = await openStoreOrHint(url, create);
    await opened.close();
    createOutput(json).result({ event: "migrated", store }, [`${store} has the schema of this version`]);
    return exitCodes.done;
  },
};

type Plan = Awaited<ReturnType<ReturnType<typeof engineOf>["planMigration"]>>;

const planLines = (store: string, { steps, bytes }: Plan): readonly string[] => {
  if (steps === null) return [`${store} has no tables; lamplight migrate --create makes them`];
  if (steps.length === 0) return [`${store} has the schema of this version`];
  return [
    `${store}, ${sizeText(bytes)}, needs ${steps.length === 1 ? "1 step" : `${steps.length} steps`}:`,
    ...steps.map(({ version, name, locks }) => `  ${version}  ${name}: ${lockText(locks)}`),
  ];
};

type Locks = NonNullable<Plan["steps"]>[number]["locks"];

const lockText = (locks: Locks): string => {
  if (locks === null) return "other writers of the file wait";
  if (locks.length === 0) return "locks no table that exists";
  return `locks ${locks.map(({ table, bytes }) => `${table} (${sizeText(bytes)})`).join(", ")}`;
};

const MIB = 1024 ** 2;

const sizeText = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;

/** A typo in the name must not make a store. */
const openStoreOrHint = async (url: string, create: boolean): Promise<IndexStore> => {
  try {
    return await openStoreForWriting(url, { create, migrates: true });
  } catch (error) {
    if (create || !isLamplightError(error, "STORE__MISSING")) throw error;
    throw usageError(
      `${nameOfStore(url)} does not exist; correct --store, or create an empty store with --create`,
      error,
    );
  }
};

const flags = {
  store: { type: "string" },
  create: { type: "boolean" },
  "dry-run": { type: "boolean" },
  ...jsonOption,
} as const;

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (
  args: readonly string[],
): {
  readonly url: string;
  readonly create: boolean;
  readonly dryRun: boolean;
  readonly json: boolean | undefined;
} => {
  const values = parseFlags(args, flags);
  const { create = false, "dry-run": dryRun = false, json } = values;
  const url = storeUrlOf(values);
  if (dryRun && create) throw usageError("--dry-run excludes --create");
  return { url, create, dryRun, json };
};
