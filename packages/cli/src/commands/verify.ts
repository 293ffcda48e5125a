import type { StoreExport } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { verifyAssets, verifyRows, type VerifyReport, verifySearch } from "@lamplight/indexer";
import {
  exitCodes,
  nameOfStore,
  openStoreForReading,
  openStoreForWriting,
  parseFlags,
  usageError,
} from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { openStoreExport } from "../copy/open-copy.ts";
import { receiptKey } from "../snapshot/load-receipt.ts";
import { verifyReceipt } from "../snapshot/verify-receipt.ts";

const usage = `--store URL

  --store  store to check, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE; nothing in it is changed, and nobody else may be writing it meanwhile

Checks the store itself and its tables against each other, then derives every asset anew from the accounts and leaves it
came from and compares, and the search index with SQL; no asset, link or edition may be missing. A store made from a ledger
snapshot, and unchanged since, is held against its receipt too: number of accounts, capitalization, lattice hash. Exit
code 0: sound. 1: not, and stdout says what.`;

/** Between two lines of progress. */
const ASSETS_EVERY = 100_000;
const ACCOUNTS_EVERY = 1_000_000;

export const verifyCommand: Command = {
  name: "verify",
  summary: "check a store against its own hashes, counts and derivations",
  usage,
  run: (args) => verify(readFlags(args)),
};

const readFlags = (args: readonly string[]): string => {
  const { store } = parseFlags(args, { store: { type: "string" } });
  if (store === undefined) throw usageError("--store is missing");
  return store;
};

const verify = async (url: string): Promise<number> => {
  const store = await openStoreForWriting(url, { create: false });
  try {
    say("checking the store and its tables");
    const problems = await store.checkIntegrity();
    say("deriving every asset anew");
    const report = await verifyAssets(store, sayProgress("assets compared", ASSETS_EVERY));
    const searchProblems = await compareSearch(url);
    const rowProblems = await inExport(url, (kept) => {
      say("counting the links, assets and editions that accounts and leaves ask for");
      return verifyRows(kept, store, sayProgress("accounts asked", ACCOUNTS_EVERY));
    });
    const receipt = await inExport(url, ({ head }) => head.notes[receiptKey] ?? null);
    const receiptProblems = await verifyReceipt(store, receipt, say);
    const found = [...problems, ...rowProblems, ...receiptProblems, ...searchProblems];
    return printVerdict(nameOfStore(url), found, report);
  } finally {
    await store.close();
  }
};

const inExport = async <Result>(
  url: string,
  body: (kept: StoreExport) => Result | Promise<Result>,
): Promise<Result> => {
  const kept = await openStoreExport(url);
  try {
    return await body(kept);
  } finally {
    await kept.close();
  }
};

/** The index in memory against the store's own SQL, at the last commit. */
const compareSearch = async (url: string): Promise<readonly string[]> => {
  const reader = await openStoreForReading(url, { patient: true });
  try {
    return await verifySearch(reader, reader.searchFile, say);
  } catch (error) {
    // A store that was never committed to has nothing to search.
    if (isLamplightError(error, "STORE__LOADING")) return [];
    throw error;
  } finally {
    reader.close();
  }
};

const sayProgress = (what: string, every: number): ((count: number) => void) => {
  let next = every;
  return (count) => {
    if (count < next) return;
    next = count + every;
    say(`${count} ${what}`);
  };
};

const printVerdict = (store: string, problems: readonly string[], report: VerifyReport): number => {
  for (const problem of problems) process.stdout.write(`problem: ${problem}\n`);
  for (const { id, differing } of report.differences) {
    process.stdout.write(`asset ${id} differs from its derivation in ${differing.join(", ")}\n`);
  }
  const unlisted = report.differing - report.differences.length;
  if (unlisted > 0) process.stdout.write(`and ${unlisted} assets more\n`);
  const isSound = problems.length === 0 && report.differing === 0;
  const verdict = isSound
    ? "sound"
    : `NOT sound: ${problems.length} problems, ${report.differing} assets differ`;
  process.stdout.write(`${store}: ${verdict} (${report.assets} assets compared)\n`);
  return isSound ? exitCodes.done : exitCodes.failed;
};

/** Progress goes to stderr, findings to stdout. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
