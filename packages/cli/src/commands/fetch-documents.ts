import { usageError } from "@lamplight/errors";
import { offchainStatuses } from "@lamplight/core";
import { OffchainWorker } from "@lamplight/offchain";
import { createProgress, openDocuments, problemWord, whenStoreAvailable } from "@lamplight/runtime";
import { exitCodes } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { type DocumentsFlags, documentsUsage, readDocumentsFlags } from "../documents/documents-flags.ts";
import { documentMetrics } from "../documents/documents-metrics.ts";
import { probeAnswer, withMetricsPort } from "../metrics-flags.ts";
import { createOutput, say } from "../output.ts";

export const fetchDocumentsCommand: Command = {
  name: "fetch documents",
  summary: "fetch the JSON behind assets' URIs and show it in their content",
  usage: documentsUsage,
  run: async (args) => {
    const flags = readDocumentsFlags(args);
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    process.once("SIGINT", abort).once("SIGTERM", abort);
    try {
      const { counts, states } = await fetchDocuments(flags, stop.signal);
      createOutput(flags.json).result({ event: "fetched", ...counts, states }, [
        ...(counts === null
          ? []
          : [`${counts.fetched} fetched: ${counts.changed} new or changed, ${counts.failed} failed`]),
        ...(counts?.pruned === undefined ? [] : [`${counts.pruned} removed that no asset names any more`]),
        ...Object.entries(states).map(([status, count]) => `${count} × ${status}`),
      ]);
    } finally {
      process.off("SIGINT", abort).off("SIGTERM", abort);
    }
    return exitCodes.done;
  },
};

interface Fetched {
  /** Null with `--watch`, which ends when it is stopped. */
  readonly counts: {
    readonly fetched: number;
    readonly changed: number;
    readonly failed: number;
    /** Only with `--prune-days`. */
    readonly pruned?: number;
  } | null;
  /** Number of URIs by state; states without any are left out. */
  readonly states: Readonly<Record<string, number>>;
}

/** Milliseconds between two updates of the progress. */
const PROGRESS_MS = 500;

const fetchDocuments = async (flags: DocumentsFlags, signal: AbortSignal): Promise<Fetched> => {
  const store = await openDocuments(flags.store);
  try {
    if (flags.orphansMs !== null && store.offchain.removeOrphans === undefined)
      throw usageError("--prune-days is not for a store of several databases");
    const { fetcher, orphansMs, refreshMs, requestsAtOnce } = flags;
    const worker = new OffchainWorker({
      store: store.offchain,
      index: store,
      fetcher,
      orphansMs,
      refreshMs,
      ...(requestsAtOnce === undefined ? {} : { requestsAtOnce }),
    });
    let problem: string | null = null;
    const measured = {
      metrics: () => [documentMetrics(worker.counts)],
      readiness: () => probeAnswer(problem === null, problem ?? "fetching"),
    };
    return await withMetricsPort(flags.metrics, measured, () =>
      withProgress(worker, flags, async () => {
        if (!flags.watch) {
          await worker.countStates();
          await worker.noteChangedAssets();
          await worker.request(flags.uris);
          await worker.dateRefreshes(signal);
          const { fetched, changed, failed } = await worker.fetchDue(signal);
          const pruned = orphansMs === null ? {} : { pruned: await worker.prune(signal) };
          return { counts: { fetched, changed, failed, ...pruned }, states: statesOf(worker) };
        }
        let { uris } = flags;
        const work = async (): Promise<void> => {
          await worker.countStates();
          await worker.request(uris);
          uris = [];
          problem = null;
          await worker.run(signal);
        };
        await whenStoreAvailable(work, {
          signal,
          say,
          onProblem: (error) => void (problem = problemWord(error)),
        });
        return { counts: null, states: statesOf(worker) };
      }),
    );
  } finally {
    await store.close();
  }
};

const withProgress = async <Result>(
  worker: OffchainWorker,
  flags: DocumentsFlags,
  run: () => Promise<Result>,
): Promise<Result> => {
  const progress = createProgress("documents", createOutput(flags.json).progress);
  const timer = setInterval(() => {
    const { fetched, states } = worker.counts;
    progress.update({ done: fetched, total: fetched + (states?.pending ?? 0), count: fetched });
  }, PROGRESS_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    progress.end();
  }
};

const statesOf = (worker: OffchainWorker): Fetched["states"] => {
  const { states } = worker.counts;
  const present = offchainStatuses.filter((status) => (states?.[status] ?? 0) > 0);
  return Object.fromEntries(present.map((status) => [status, states?.[status] ?? 0]));
};
