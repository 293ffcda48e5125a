import type { parseArgs } from "node:util";
import { usageError } from "@lamplight/errors";
import { exitCodes, type MetricsAddress, parseWords } from "@lamplight/server/command";
import { createStageReporter, engineOf, nameOfStore } from "@lamplight/runtime";

import { aliasWords, readAddresses } from "../address-words.ts";
import type { Command } from "../command.ts";
import { LoadMetrics } from "../load-metrics.ts";
import { metricsOptions, readMetricsAddress, withMetricsPort } from "../metrics-flags.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";
import {
  loadSnapshot,
  type LoadSnapshotOptions,
  receiptLines,
  type SnapshotFilter,
} from "@lamplight/runtime/snapshot";

const usage = `FULL [INCREMENTAL] --store URL [--work FOLDER] [--program ADDRESS]… [--owner ADDRESS]…
               [--mint ADDRESS]… [--collection ADDRESS]… [--verify full|basic] [--no-holdings]
               [--metrics-port PORT] [--metrics-host HOST] [--json]

  FULL           snapshot archive of a validator (.tar.zst, .tar.lz4, .tar.gz or .tar), as a file, an http(s) URL or a
                 folder. From a folder, the newest full archive and the newest incremental one over it are used
  INCREMENTAL    incremental archive over FULL, as a file or URL
  --store        store to create, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE; it must be missing or empty
  --work         with a database: folder for temporary files, in HOST-DATABASE-SCHEMA.load (default: the current one).
                 They take about as much space as the unpacked archives
  --program      load only accounts of this program: an address, or
                 ${aliasWords}
  --owner        load only what this wallet holds
  --mint         load only this mint and its accounts
  --collection   load only assets of this collection. These four may be repeated and combined. The accounts that the
                 assets are derived from are included. The served store refuses everything else
  --verify       full (default): hash every account and compare with the archive; basic: do not hash
  --no-holdings  do not index fungible holdings by owner (for whole chains)
  --metrics-port serve /metrics (Prometheus), /readyz and /livez on this port while it runs; 0 picks a free one
  --metrics-host address for these (127.0.0.1)
  --json         ${jsonUsage}

Structure, counts and capitalization are always compared. If the verification fails, no store is created.
Temporary files are kept in FILE.load next to the store until it is complete. After an interruption, run the same command
again: it continues there, also within a download if the server supports ranges. A PostgreSQL store cannot be served before
it is complete, and data of an interrupted load is deleted first.
LAMPLIGHT_MEMORY_BYTES replaces the memory of the machine or container in the bounds of what is kept in memory.

Examples:
  lamplight load snapshot /mnt/snapshots --store sqlite:chain.db
  lamplight load snapshot snapshot-100-HASH.tar.zst --store sqlite:tokens.db --program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA`;

export const loadSnapshotCommand: Command = {
  name: "load snapshot",
  summary: "create a verified store from a validator's snapshot archive",
  usage,
  run: async (args) => {
    const { options, store, json, metrics } = readFlags(args);
    const output = createOutput(json);
    const stopping = new AbortController();
    const stop = (): void => stopping.abort(new Error("stopped; run the same command to continue from here"));
    process.once("SIGINT", stop).once("SIGTERM", stop);
    const measured = new LoadMetrics();
    const emitter = measured.watchStages(createStageReporter(output.progress));
    try {
      const load = () => loadSnapshot(options, emitter, stopping.signal);
      const summary = await withMetricsPort(metrics, measured, load);
      emitter.end();
      output.result({ event: "loaded", store, ...summary }, receiptLines(summary, store));
      return exitCodes.done;
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      emitter.say("stopped; run the same command to continue from here");
      return exitCodes.failed;
    } finally {
      emitter.end();
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
  },
};

const flags = {
  store: { type: "string" },
  work: { type: "string" },
  program: { type: "string", multiple: true },
  owner: { type: "string", multiple: true },
  mint: { type: "string", multiple: true },
  collection: { type: "string", multiple: true },
  verify: { type: "string" },
  "no-holdings": { type: "boolean", default: false },
  ...metricsOptions,
  ...jsonOption,
} as const;

type Flags = ReturnType<typeof parseArgs<{ options: typeof flags }>>["values"];

interface LoadFlags {
  readonly options: LoadSnapshotOptions;
  readonly store: string;
  readonly json: boolean | undefined;
  readonly metrics: MetricsAddress | null;
}

/** @throws LamplightError `CLI__USAGE`, `STORE__URL` */
const readFlags = (args: readonly string[]): LoadFlags => {
  const { values, positionals } = parseWords(args, flags);
  const [full, incremental, ...more] = positionals;
  if (values.store === undefined) throw usageError("--store URL is missing");
  if (full === undefined) throw usageError("no archive is named");
  if (more.length > 0)
    throw usageError("at most two archives are named: a full one and an incremental one over it");
  if (values.work !== undefined && engineOf(values.store).fileOf(values.store) !== null)
    throw usageError("--work is only for databases; for a file the folder is always FILE.load");
  const { verify = "full" } = values;
  if (verify !== "full" && verify !== "basic") {
    throw usageError(`--verify takes full or basic, got ${JSON.stringify(verify.slice(0, 64))}`);
  }
  const options: LoadSnapshotOptions = {
    full,
    incremental: incremental ?? null,
    store: values.store,
    ...(values.work === undefined ? {} : { workFolder: values.work }),
    filter: filterOf(values),
    verify,
    holdings: !values["no-holdings"],
  };
  const metrics = readMetricsAddress(values);
  return { options, store: nameOfStore(values.store), json: values.json, metrics };
};

const filterOf = (values: Flags): SnapshotFilter => {
  const filter = {
    kind: "filtered" as const,
    programs: addressesOf(values.program, "--program"),
    owners: addressesOf(values.owner, "--owner"),
    mints: addressesOf(values.mint, "--mint"),
    collections: addressesOf(values.collection, "--collection"),
  };
  const named = [filter.programs, filter.owners, filter.mints, filter.collections];
  return named.every((list) => list.length === 0) ? null : filter;
};

const addressesOf = (texts: readonly string[] | undefined, flag: string): readonly string[] =>
  readAddresses(flag, texts).toSorted();
