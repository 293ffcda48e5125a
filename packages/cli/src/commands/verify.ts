import { DERIVATION, type IndexStore, type StoreExport } from "@lamplight/core";
import { isLamplightError, usageError } from "@lamplight/errors";
import { listsTrees, verifyAssets, verifyNodes, verifyRows, type VerifyReport } from "@lamplight/indexer";
import { verifySearch } from "@lamplight/search";
import { exitCodes, parseFlags } from "@lamplight/server/command";
import { nameOfStore, openStoreExport, openStoreForReading, openStoreForWriting } from "@lamplight/runtime";

import type { Command } from "../command.ts";
import { type CommandOutput, createOutput, jsonOption, jsonUsage } from "../output.ts";
import { verifySnapshot } from "../snapshot/verify-snapshot.ts";
import { verifyReceipt } from "@lamplight/runtime/snapshot";

const usage = `--store URL [--snapshot FULL [--incremental FILE|URL] [--work FOLDER]] [--json]

  --store        store to check, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. It is not changed. No other process
                 may write it at the same time, except with --snapshot; in PostgreSQL, the role must be allowed to write
  --snapshot     compare the store's accounts with this snapshot archive of the same chain instead: a file, an http(s) URL, or
                 a folder with archives
  --incremental  incremental archive over it, as a file or URL
  --work         with postgres://: folder for temporary files, in lamplight.verify (default: the current one). For a file they
                 are in FILE.verify
  --json         ${jsonUsage}

Compares the tables of the store with each other. Then derives every asset again from its accounts and leaves, and compares
it. Then compares the search index with SQL. In a store that keeps nodes of trees for proofs, each tree without missing
changes is hashed again; one whose nodes are wrong is named. A store from a ledger snapshot without later changes is also
compared with its receipt: number of accounts, capitalization, lattice hash, slots and rent epochs.
Nodes that the follower of the store is still to fill are no problem: a line says so, and proofs of these trees are refused.

With --snapshot, the archive is first proved by its own hashes. Every account is compared. Accounts that were written after the
snapshot's slot, or after the store's, are counted and not compared. After an interruption, run the same command again.
Exit code 0: no problem was found. 1: stdout lists the problems.

Examples:
  lamplight verify --store sqlite:index.db
  lamplight verify --store sqlite:chain.db --snapshot /mnt/snapshots`;

const unfilledNodes =
  "the nodes of some trees are not filled yet; the process that follows the store fills them, or run lamplight index add das";

/** Items between two lines of progress. */
const ASSETS_EVERY = 100_000;
const ACCOUNTS_EVERY = 1_000_000;
const LEAVES_EVERY = 100_000;

export const verifyCommand: Command = {
  name: "verify",
  summary: "check a store against its own hashes, counts and derivations",
  usage,
  run: async (args) => {
    const { store, json, snapshot, incremental, work: workFolder } = readFlags(args);
    const output = createOutput(json);
    if (snapshot !== undefined)
      return verifySnapshot({ store, snapshot, incremental: incremental ?? null, workFolder }, output);
    const findings = await findProblems(store, (line) => output.note(line));
    return printVerdict(nameOfStore(store), findings, output);
  },
};

const flags = {
  store: { type: "string" },
  snapshot: { type: "string" },
  incremental: { type: "string" },
  work: { type: "string" },
  ...jsonOption,
} as const;

const readFlags = (args: readonly string[]) => {
  const { store, ...more } = parseFlags(args, flags);
  if (store === undefined) throw usageError("--store is missing");
  if (more.snapshot === undefined && (more.incremental ?? more.work) !== undefined)
    throw usageError("--incremental and --work are only for --snapshot");
  return { store, ...more };
};

export interface Findings {
  /** Problems that were found, in words. */
  readonly problems: readonly string[];
  /** Work that the store waits for, in words. What is there is right without it. */
  readonly unfinished: readonly string[];
  readonly report: VerifyReport;
}

/** @throws LamplightError of the STORE family when the store cannot be opened or is out of reach */
export const findProblems = async (url: string, emit: (line: string) => void): Promise<Findings> => {
  const problems: string[] = [];
  const unfinished: string[] = [];
  let report: VerifyReport = { assets: 0, differing: 0, differences: [] };
  let store: IndexStore;
  try {
    store = await openStoreForWriting(url, { create: false });
  } catch (error) {
    if (isLamplightError(error)) throw error;
    return { problems: [`opening it failed: ${messageOf(error)}`], unfinished, report };
  }
  const step = (what: string, run: () => Promise<readonly string[]>): Promise<void> => {
    emit(what);
    return runStep(what, run, problems);
  };
  try {
    await step("checking the store and its tables", async () => store.checkIntegrity());
    await step("deriving every asset again", async () => {
      const { version } = await store.readDerivation();
      if (version !== DERIVATION)
        return [
          `the assets were derived by rules ${version}, and this version compares by rules ${DERIVATION}: run lamplight derive first`,
        ];
      report = await verifyAssets(store, sayEvery(ASSETS_EVERY, "assets compared", emit));
      return [];
    });
    await step("comparing the search index with SQL", () => compareSearch(url, emit));
    await step("counting the links, assets and editions of accounts and leaves", () =>
      inExport(url, (kept) => verifyRows(kept, store, sayEvery(ACCOUNTS_EVERY, "accounts asked", emit))),
    );
    await step("hashing the nodes of trees again", async () => {
      if (!listsTrees(store)) return [];
      const nodes = await verifyNodes(store, sayEvery(LEAVES_EVERY, "leaves hashed", emit));
      if (nodes.isUnfilled) unfinished.push(unfilledNodes);
      return nodes.problems;
    });
    await step("looking for the receipt of a ledger snapshot", () =>
      inExport(url, ({ head }) => verifyReceipt(store, head, emit)),
    );
    return { problems, unfinished, report };
  } finally {
    await store.close();
  }
};

/** Damage shows in any shape: what a step stumbles over is a finding like others, and the next ones still count. */
const runStep = async (
  what: string,
  run: () => Promise<readonly string[]>,
  problems: string[],
): Promise<void> => {
  try {
    problems.push(...(await run()));
  } catch (error) {
    if (isOfSurroundings(error)) throw error;
    problems.push(`${what} failed: ${messageOf(error)}`);
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A store that is locked, busy or out of reach says nothing of its rows. */
const isOfSurroundings = (error: unknown): boolean =>
  isLamplightError(error) && error.code.startsWith("STORE__") && error.code !== "STORE__CORRUPT";

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
const compareSearch = async (url: string, emit: (line: string) => void): Promise<readonly string[]> => {
  const reader = await openStoreForReading(url, { patient: true });
  try {
    return await verifySearch(reader, reader.searchFile, emit);
  } catch (error) {
    // A store that was never committed to has nothing to search.
    if (isLamplightError(error, "STORE__LOADING")) return [];
    throw error;
  } finally {
    reader.close();
  }
};

const sayEvery = (every: number, what: string, emit: (line: string) => void): ((count: number) => void) => {
  let next = every;
  return (count) => {
    if (count < next) return;
    next = count + every;
    emit(`${count} ${what}`);
  };
};

const printVerdict = (
  store: string,
  { problems, unfinished, report }: Findings,
  output: CommandOutput,
): number => {
  const { assets, differing, differences } = report;
  const isSound = problems.length === 0 && differing === 0;
  const unlisted = differing - differences.length;
  const verdict = isSound ? "sound" : `NOT sound: ${problems.length} problems, ${differing} assets differ`;
  output.result({ event: "verified", store, isSound, problems, unfinished, assets, differing, differences }, [
    ...problems.map((problem) => `problem: ${problem}`),
    ...unfinished.map((work) => `unfinished: ${work}`),
    ...differences.map((one) => `asset ${one.id} differs from its derivation in ${one.differing.join(", ")}`),
    ...(unlisted > 0 ? [`and ${unlisted} assets more`] : []),
    `${store}: ${verdict} (${assets} assets compared)`,
  ]);
  return isSound ? exitCodes.done : exitCodes.failed;
};
