import { parseArgs } from "node:util";
import { findAddress } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import { exitCodes, firstSentence, isPostgresUrl, nameOfStore } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { receiptLines } from "../snapshot/load-receipt.ts";
import { loadSnapshot, type LoadSnapshotOptions } from "../snapshot/load-snapshot.ts";
import { createStageTeller } from "../snapshot/load-stages.ts";
import type { SnapshotFilter } from "../snapshot/snapshot-filter.ts";

const usage = `FULL [INCREMENTAL] --store URL [--work FOLDER] [--program ADDRESS]… [--owner ADDRESS]… [--mint ADDRESS]… [--collection ADDRESS]… [--verify full|basic] [--no-holdings]

  FULL           snapshot archive of a validator (.tar.zst, .tar.lz4, .tar.gz or .tar), as a file, an http(s) URL,
                 or a folder, of which the newest full archive and the newest incremental one over it are taken
  INCREMENTAL    incremental archive over FULL, as a file or URL
  --store        store to make, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE: nothing may lie there but an
                 empty store
  --work         with postgres://: where the folder HOST-DATABASE-SCHEMA.load is made for the archives' records, which
                 take about as much room as what they unpack to (default: here)
  --program      only accounts of this program; each of these may be repeated, and what any of them names is loaded,
  --owner        only what this wallet holds,         together with what its assets are derived from: mints,
  --mint         only this mint and its accounts,     metadata, editions, holders. Everything else is refused
  --collection   only assets of this collection;      by the served store, never answered wrongly
  --verify       full (default): hash every account and compare with the archive; basic: leave that out
  --no-holdings  keep no index of fungible holdings by owner (for whole chains)

Structure, counts and capitalization are always compared. A store that is not proved is not made. Beside a store in a file
the folder FILE.load holds what was downloaded until all is read, and the archives' records until the store is whole; after an
interruption the same command goes on from there, in the middle of a download too where the server has ranges. In PostgreSQL nobody is served before the store is whole, and what an interrupted load left is emptied first.`;

export const loadSnapshotCommand: Command = {
  name: "load snapshot",
  summary: "make a verified store from a validator's snapshot archive",
  usage,
  run: async (args) => {
    const { options, store } = parseFlags(args);
    const stopping = new AbortController();
    const stop = (): void => stopping.abort(new Error("stopped; the same command goes on from here"));
    process.once("SIGINT", stop).once("SIGTERM", stop);
    const teller = createStageTeller();
    try {
      const summary = await loadSnapshot(options, teller, stopping.signal);
      teller.end();
      if (process.stdout.isTTY !== true) {
        process.stdout.write(`${JSON.stringify({ event: "loaded", store, ...summary })}\n`);
      } else for (const line of receiptLines(summary, store)) process.stdout.write(`${line}\n`);
      return exitCodes.done;
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      teller.say("stopped; the same command goes on from here");
      return exitCodes.failed;
    } finally {
      teller.end();
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
} as const;

type Flags = ReturnType<typeof parseArgs<{ options: typeof flags }>>["values"];

/** @throws LamplightError `CLI__USAGE`, `STORE__URL` */
const parseFlags = (
  args: readonly string[],
): { readonly options: LoadSnapshotOptions; readonly store: string } => {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new LamplightError("CLI__USAGE", { reason: firstSentence((cause as Error).message) }, { cause });
  }
  const { values, positionals } = parsed;
  const [full, incremental, ...more] = positionals;
  if (values.store === undefined) throw usageError("--store URL is missing");
  if (full === undefined) throw usageError("no archive is named");
  if (more.length > 0)
    throw usageError("at most two archives are named: a full one and an incremental one over it");
  if (values.work !== undefined && !isPostgresUrl(values.store))
    throw usageError("--work belongs to postgres://: beside a file it is always FILE.load");
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
  return { options, store: nameOfStore(values.store) };
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

const addressesOf = (texts: readonly string[] | undefined, flag: string): readonly string[] => {
  for (const text of texts ?? []) {
    if (findAddress(text) === null)
      throw usageError(`${flag} takes an address, got ${JSON.stringify(text.slice(0, 64))}`);
  }
  return [...new Set(texts ?? [])].toSorted();
};

const usageError = (reason: string): LamplightError<"CLI__USAGE"> =>
  new LamplightError("CLI__USAGE", { reason });
