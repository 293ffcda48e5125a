import { encodeAddress } from "@lamplight/codecs";
import { type ChangeSet, isTreeComplete, parseTreeState, type Slot, treeCoverageOf } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { createIndexer, type IndexProblem } from "@lamplight/indexer";
import { exitCodes, type MetricsAddress, parseWords } from "@lamplight/server/command";
import { nameOfStore, openStoreForWriting } from "@lamplight/runtime";
import { readTransactionFiles } from "@lamplight/sources/transactions";

import type { Command } from "../command.ts";
import { LoadMetrics } from "../load-metrics.ts";
import { metricsOptions, readMetricsAddress, withMetricsPort } from "../metrics-flags.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";
import { assertPathsExist } from "./assert-paths.ts";

/** Lines of one sort that are written out; the rest is counted. */
const LINES_SHOWN_MAX = 50;

const usage = `PATH… --store URL [--metrics-port PORT] [--metrics-host HOST] [--json]

  PATH      files or folders of transactions: answers of getTransaction or getBlock in JSON (encodings json,
            jsonParsed, base64). A file holds one value, an array, or one value per line (.ndjson, .jsonl)
  --store   store to write, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE; created if missing
  --metrics-port  serve /metrics (Prometheus), /readyz and /livez on this port while it runs; 0 picks a free one
  --metrics-host  address for these (127.0.0.1)
  --json    ${jsonUsage}

Failed transactions change nothing. Files that cannot be read are listed with the reason; the others are loaded, and the
exit code is 1.

Example:
  lamplight load transactions transactions/ --store sqlite:index.db`;

export const loadTransactionsCommand: Command = {
  name: "load transactions",
  summary: "load transactions of compressed assets from files",
  usage,
  run: async (args) => {
    const { store, paths, json, metrics } = readFlags(args);
    const output = createOutput(json);
    const measured = new LoadMetrics();
    const summary = await withMetricsPort(metrics, measured, () =>
      loadTransactions(
        store,
        paths,
        (line) => output.note(line),
        (transactions) => measured.noteItems("transactions", transactions),
      ),
    );
    const problems = Object.fromEntries(summary.problems);
    const event = { event: "loaded", store: nameOfStore(store), ...summary, problems };
    output.result(event, summaryLines(summary));
    return summary.bad === 0 ? exitCodes.done : exitCodes.failed;
  },
};

const readFlags = (
  args: readonly string[],
): {
  readonly store: string;
  readonly paths: readonly string[];
  readonly json: boolean | undefined;
  readonly metrics: MetricsAddress | null;
} => {
  const options = { store: { type: "string" }, ...metricsOptions, ...jsonOption } as const;
  const { values, positionals: paths } = parseWords(args, options);
  if (values.store === undefined) throw usageError("--store sqlite:FILE is missing");
  if (paths.length === 0) throw usageError("no file or folder is named");
  return { store: values.store, paths, json: values.json, metrics: readMetricsAddress(values) };
};

export interface LoadSummary {
  /** Transactions that succeeded. */
  readonly applied: number;
  readonly failed: number;
  /** Files, lines or items that are no transaction. */
  readonly bad: number;
  readonly assetsChanged: number;
  /** Counts of what could not be proved or understood, by kind. */
  readonly problems: ReadonlyMap<string, number>;
  /** Trees of this load of which changes are missing, with what is known of them. */
  readonly incompleteTrees: readonly string[];
}

/**
 * Loads into the store, batch by batch; every batch is one or more whole commits, so a stopped load can be repeated.
 *
 * @param onBatch - called after each with the number of transactions so far
 */
export const loadTransactions = async (
  storeUrl: string,
  paths: readonly string[],
  say: (line: string) => void,
  onBatch: (transactions: number) => void = () => undefined,
): Promise<LoadSummary> => {
  assertPathsExist(paths);
  const store = await openStoreForWriting(storeUrl, { create: true });
  try {
    const tally = new LoadTally(say);
    const indexer = createIndexer(store, {
      onProblem: (problem) => tally.addProblem(problem),
      onCommit: (changes) => tally.addCommit(changes),
    });
    for await (const { transactions } of readTransactionFiles(paths, {
      onBad: (error) => tally.addBad(error.message),
    })) {
      const applied = transactions.filter(({ failed }) => !failed);
      const { assetsChanged } = await indexer.applyTransactions(applied, null);
      tally.addBatch(applied.length, transactions.length - applied.length, assetsChanged);
      for (const { slot } of applied) tally.addSlot(slot);
      onBatch(tally.transactions);
    }
    const known = (await store.readWatermark())?.slot ?? 0;
    if (tally.highestSlot > known) {
      await indexer.applyTransactions([], { slot: tally.highestSlot, blockhash: null });
    }
    return tally.summary();
  } finally {
    await store.close();
  }
};

class LoadTally {
  highestSlot: Slot = 0;
  readonly #say: (line: string) => void;
  readonly #problems = new Map<string, number>();
  readonly #incompleteTrees = new Map<string, string>();
  #applied = 0;
  #failed = 0;
  #bad = 0;
  #problemsLogged = 0;
  #assetsChanged = 0;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Those that were read. */
  get transactions(): number {
    return this.#applied + this.#failed;
  }

  addBad(message: string): void {
    this.#bad += 1;
    if (this.#bad <= LINES_SHOWN_MAX) this.#say(message);
  }

  addProblem({ kind, address, slot, reason }: IndexProblem): void {
    this.#problems.set(kind, (this.#problems.get(kind) ?? 0) + 1);
    this.#problemsLogged += 1;
    if (this.#problemsLogged <= LINES_SHOWN_MAX) {
      this.#say(`${kind} at ${encodeAddress(address)} in slot ${slot}: ${reason}`);
    }
  }

  addCommit({ ledger }: ChangeSet): void {
    for (const { kind, key, state } of ledger) {
      if (kind !== "tree") continue;
      const tree = encodeAddress(key);
      const coverage = treeCoverageOf(tree, parseTreeState(state));
      this.#incompleteTrees.delete(tree);
      if (isTreeComplete(coverage)) continue;
      const highest = Math.max(coverage.highestSeq, coverage.accountSeq ?? 0);
      this.#incompleteTrees.set(
        tree,
        `tree ${tree} is complete up to change ${coverage.completeThroughSeq} of at least ${highest}`,
      );
    }
  }

  addBatch(applied: number, failed: number, assetsChanged: number): void {
    this.#applied += applied;
    this.#failed += failed;
    this.#assetsChanged += assetsChanged;
  }

  addSlot(slot: Slot): void {
    this.highestSlot = Math.max(this.highestSlot, slot);
  }

  summary(): LoadSummary {
    return {
      applied: this.#applied,
      failed: this.#failed,
      bad: this.#bad,
      assetsChanged: this.#assetsChanged,
      problems: this.#problems,
      incompleteTrees: [...this.#incompleteTrees.values()],
    };
  }
}

const summaryLines = (summary: LoadSummary): readonly string[] => {
  const { applied, failed, bad, assetsChanged, problems, incompleteTrees } = summary;
  const left = incompleteTrees.length - LINES_SHOWN_MAX;
  return [
    `${applied} transactions loaded, ${failed} failed ones ignored, ${bad} unreadable; ${assetsChanged} asset changes`,
    ...[...problems].map(([kind, count]) => `${count} × ${kind}`),
    ...incompleteTrees.slice(0, LINES_SHOWN_MAX),
    ...(left > 0 ? [`and ${left} more incomplete trees`] : []),
  ];
};
