import { encodeAddress } from "@lamplight/codecs";
import type { Account, Slot, Watermark } from "@lamplight/core";
import { LamplightError, usageError } from "@lamplight/errors";
import { createIndexer } from "@lamplight/indexer";
import { exitCodes, type MetricsAddress, parseWords } from "@lamplight/server/command";
import { createProgress, nameOfStore, openStoreForWriting, type Progress } from "@lamplight/runtime";
import { DEFAULT_DUMP_SLOT, readAccountDumps } from "@lamplight/sources/dumps";

import type { Command } from "../command.ts";
import { LoadMetrics } from "../load-metrics.ts";
import { metricsOptions, readMetricsAddress, withMetricsPort } from "../metrics-flags.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";
import { assertPathsExist } from "./assert-paths.ts";
import { type Declaration, dumpCoverage, parseDeclaration, widenCoverage } from "./declared-coverage.ts";

/** Bad files that are named; the rest is counted. */
const BAD_SHOWN_MAX = 50;

const usage = `PATH… --store URL [--slot SLOT] [--covers WHAT]… [--metrics-port PORT] [--metrics-host HOST] [--json]

  PATH      account dumps: files, or folders, which are searched recursively. A file holds one account as
            \`solana account --output json\` writes it (or flat, with slot and writeVersion), an array of
            them, or one per line (.ndjson, .jsonl)
  --store   store to write, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE; created if missing
  --slot    slot of accounts that have none (${DEFAULT_DUMP_SLOT})
  --covers  what the dump contains: whole for the whole chain; or program:ADDRESS, owner:ADDRESS, mint:ADDRESS,
            collection:ADDRESS for complete sets, and listings outside them are refused; or nothing
  --metrics-port serve /metrics (Prometheus), /readyz and /livez on this port while it runs; 0 picks a free one
  --metrics-host address for these (127.0.0.1)
  --json    ${jsonUsage}

A dump covers the addresses that it contains, and several loads add up. Over such a store searchAssets, getNftEditions and
getTokenAccountsByDelegate list what it holds, with the header X-Coverage: partial. Requests for absent accounts or
assets, and getLargestAccounts, are refused.

The newest version of an account wins, and loading again changes nothing. Files that cannot be read are listed with the
reason; the others are loaded, and the exit code is 1. Ctrl-C stops after the current batch.

Examples:
  lamplight load accounts dumps/ --store sqlite:index.db
  lamplight load accounts chain.ndjson --store sqlite:index.db --covers whole`;

export const loadAccountsCommand: Command = {
  name: "load accounts",
  summary: "load account dumps from files",
  usage,
  run: async (args) => {
    const { json, metrics, ...options } = readFlags(args);
    const output = createOutput(json);
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    process.once("SIGINT", stop).once("SIGTERM", stop);
    const measured = new LoadMetrics();
    const progress = measured.watchProgress(createProgress("accounts", output.progress));
    const say = (line: string): void => {
      progress.end();
      output.note(line);
    };
    try {
      const load = () => loadAccounts(options, { say, progress, signal: stopping.signal });
      const summary = await withMetricsPort(metrics, measured, load);
      progress.end();
      const store = nameOfStore(options.store);
      output.result({ event: "loaded", store, ...summary }, summaryLines(summary, store));
      return summary.bad === 0 && !summary.stopped ? exitCodes.done : exitCodes.failed;
    } finally {
      progress.end();
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
  },
};

export interface LoadAccountsOptions {
  readonly paths: readonly string[];
  readonly store: string;
  readonly defaultSlot: Slot;
  readonly declaration: Declaration;
}

export interface LoadAccountsSummary {
  /** Account versions read. */
  readonly accounts: number;
  /** States that changed in the store. */
  readonly accountsChanged: number;
  readonly assetsChanged: number;
  readonly files: number;
  /** Files, lines or items that are no account. */
  readonly bad: number;
  /** Slot of the store after the load. */
  readonly slot: Slot;
  /** Stopped by a signal: what was read is stored, the rest is not. */
  readonly stopped: boolean;
  readonly isWhole: boolean;
  readonly seconds: number;
}

interface Surroundings {
  readonly say: (line: string) => void;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Loads dumps batch by batch; every batch is whole commits, so that a stopped load can simply be repeated. */
export const loadAccounts = async (
  options: LoadAccountsOptions,
  { say, progress, signal }: Surroundings,
): Promise<LoadAccountsSummary> => {
  const startedMs = performance.now();
  assertPathsExist(options.paths);
  const store = await openStoreForWriting(options.store, { create: true });
  const counted = { accounts: 0, accountsChanged: 0, assetsChanged: 0, files: 0, bad: 0 };
  const onBad = (error: Error): void => {
    counted.bad += 1;
    if (counted.bad <= BAD_SHOWN_MAX) say(error.message);
  };
  try {
    const indexer = createIndexer(store);
    const known: Watermark = (await store.readWatermark()) ?? { slot: 0, blockhash: null };
    let { slot } = known;
    const batches = readAccountDumps(options.paths, { defaultSlot: options.defaultSlot, onBad });
    for await (const { accounts: read, filesRead, bytesRead, bytesTotal } of batches) {
      const accounts = withoutReplaced(read);
      for (const account of accounts) slot = Math.max(slot, account.slot);
      const applied = await indexer.applyAccounts(
        accounts,
        slot === known.slot ? known : { slot, blockhash: null },
      );
      counted.accounts += read.length;
      counted.accountsChanged += applied.accountsChanged;
      counted.assetsChanged += applied.assetsChanged;
      counted.files = filesRead;
      progress.update({ done: bytesRead, total: bytesTotal, count: counted.accounts });
      if (signal.aborted) break;
    }
    const before = await store.readCoverage();
    const isLoaded = options.declaration === dumpCoverage ? counted.accounts > 0 : !signal.aborted;
    const coverage = isLoaded ? widenCoverage(before, options.declaration) : before;
    if (isLoaded) await store.writeCoverage(coverage);
    const seconds = Math.round(performance.now() - startedMs) / 1000;
    return { ...counted, slot, stopped: signal.aborted, isWhole: coverage.kind === "whole", seconds };
  } finally {
    await store.close();
  }
};

/**
 * Leaves out what a later account of the same version replaces anyway, so that loading the same files again does not
 * write the replaced one and then the other. Older versions stay: they show when an asset was first seen.
 */
const withoutReplaced = (accounts: readonly Account[]): readonly Account[] => {
  const last = new Map<string, Account>();
  for (const account of accounts) {
    last.set(`${encodeAddress(account.address)}@${account.slot}.${account.writeVersion}`, account);
  }
  return last.size === accounts.length ? accounts : [...last.values()];
};

const flags = {
  store: { type: "string" },
  slot: { type: "string" },
  covers: { type: "string", multiple: true },
  ...metricsOptions,
  ...jsonOption,
} as const;

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (
  args: readonly string[],
): LoadAccountsOptions & { readonly json: boolean | undefined; readonly metrics: MetricsAddress | null } => {
  const { values, positionals: paths } = parseWords(args, flags);
  const { store, slot, covers = [], json } = values;
  if (store === undefined) throw usageError("--store sqlite:FILE is missing");
  if (paths.length === 0) throw usageError("no file or folder is named");
  return {
    json,
    metrics: readMetricsAddress(values),
    paths,
    store,
    defaultSlot: slot === undefined ? DEFAULT_DUMP_SLOT : parseSlot(slot),
    declaration: parseDeclaration(covers),
  };
};

const parseSlot = (text: string): Slot => {
  const slot = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(slot)) return slot;
  throw new LamplightError("CLI__USAGE", {
    reason: `--slot must be a whole number, got ${JSON.stringify(text.slice(0, 64))}`,
  });
};

/** Lines that a person reads at the end. */
export const summaryLines = (summary: LoadAccountsSummary, store: string): readonly string[] => {
  const { accounts, files, seconds, accountsChanged, assetsChanged, slot, bad, stopped, isWhole } = summary;
  const lines = [
    `${accounts} accounts from ${files} files in ${seconds.toFixed(1)} s: ${accountsChanged} account and ${assetsChanged} asset changes; ${store} is at slot ${slot}`,
  ];
  if (bad > 0)
    lines.push(`${bad} bad ${bad === 1 ? "file, line or item was" : "files, lines or items were"} left out`);
  if (stopped) lines.push("stopped before the end; load again to finish");
  if (!isWhole) {
    lines.push(
      "listings answer from what the store covers, absent accounts are refused; a dump of the whole chain needs --covers whole",
    );
  }
  return lines;
};
