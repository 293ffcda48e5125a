import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { BulkLoad, Coverage, LedgerState } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { AccountSelection } from "@lamplight/indexer";
import {
  accountsOf,
  clearStage,
  mergeIn,
  type MergeOutcome,
  SnapshotMerge,
  type SnapshotProof,
  type StagedSnapshot,
} from "@lamplight/sources/snapshot";
import { type LoadReceipt, receiptKey, receiptOf, selectionNote } from "./load-receipt.ts";
import type { DerivedRows, MergedRows } from "./load-messages.ts";
import type { StageReporter } from "../process/load-stages.ts";
import { LoadThreads } from "./load-threads.ts";
import { LoadedSearch } from "./loaded-search.ts";
import { engineOf } from "../engine/engines.ts";
import { writeReceiptText } from "./receipt-text.ts";
import { selectionFilterOf, type SnapshotFilter, stageSelectionOf } from "./snapshot-filter.ts";
import { downloadFolderIn, stageArchives, stageFolderIn } from "./stage-archives.ts";
import { emptyVersionSum, joinVersionSum, versionSumText } from "./version-sum.ts";

export interface LoadSnapshotOptions {
  /** File, folder or URL. */
  readonly full: string;
  readonly incremental: string | null;
  /** URL of the store: a new one, or an empty one. */
  readonly store: string;
  /** Folder in which the archives' records are staged, for a store that is no file. Default: the current folder. */
  readonly workFolder?: string;
  readonly filter: SnapshotFilter;
  readonly verify: "full" | "basic";
  /** Index fungible holdings; default yes. */
  readonly holdings?: boolean;
  readonly fileBytesMax?: number;
  /** Rounds in which selected accounts may require others; default 8. Each is a pass over the archives' records. */
  readonly selectionRounds?: number;
  /**
   * Threads that merge, hash and encode, next to the one that writes. Default: the number of processors, or one
   * fewer.
   */
  readonly threads?: number;
}

export interface LoadSnapshotSummary extends LoadReceipt {
  /** Seconds of each stage. */
  readonly stages: Readonly<Record<"read" | "insert" | "derive" | "finish", number>>;
}

/** Rounds in which selected accounts may require others. Each is a pass over the staged records. */
const SELECTION_ROUNDS_MAX = 8;
const LOAD_THREADS_MAX = 8;
/** Staged bytes per partition of claims, and the largest number of partitions as a power of two. */
const DERIVING_STAGED_BYTES = 16 * 1024 * 1024;
const DERIVING_BITS_MAX = 12;

/**
 * Loads a verified store from a ledger snapshot. Reads the archives into partitions. Merges and verifies these while
 * it inserts rows. Derives assets, and then publishes the store. After an interruption, the same call continues from
 * the partitions.
 *
 * @throws LamplightError of the families SOURCE and STORE; an existing store is then unchanged
 */
export const loadSnapshot = async (
  options: LoadSnapshotOptions,
  emitter: StageReporter,
  signal?: AbortSignal,
): Promise<LoadSnapshotSummary> => {
  const load = await engineOf(options.store).openBulkLoad(options.store, options);
  const run = new SnapshotLoad(options, load, emitter, signal);
  try {
    const summary = await run.run();
    clearStage(load.folder);
    return summary;
  } catch (error) {
    // Data that failed a check is useless to the next run. Data of an interrupted run is not.
    const isInterrupted = signal?.aborted === true || isLamplightError(error, "SOURCE__DOWNLOAD");
    const isOfUse = (await run.isStaged()) || (isInterrupted && run.hasDownload);
    if (!isOfUse || isLamplightError(error, "SOURCE__SNAPSHOT_MISMATCH")) clearStage(load.folder);
    throw error;
  } finally {
    await load.close();
  }
};

class SnapshotLoad {
  readonly #options: LoadSnapshotOptions;
  readonly #load: BulkLoad;
  readonly #emitter: StageReporter;
  readonly #signal: AbortSignal | undefined;
  readonly #startedMs = performance.now();
  #stageStartedMs = this.#startedMs;
  #saved: Promise<void> = Promise.resolve();

  constructor(
    options: LoadSnapshotOptions,
    load: BulkLoad,
    emitter: StageReporter,
    signal: AbortSignal | undefined,
  ) {
    this.#options = options;
    this.#load = load;
    this.#emitter = emitter;
    this.#signal = signal;
  }

  /** Whether there are partitions that another run can use. */
  async isStaged(): Promise<boolean> {
    await this.#saved.catch(() => undefined);
    return existsSync(join(stageFolderIn(this.#load.folder), "stage.json"));
  }

  /** Whether there are bytes of a download that another run can continue. */
  get hasDownload(): boolean {
    return existsSync(downloadFolderIn(this.#load.folder));
  }

  async run(): Promise<LoadSnapshotSummary> {
    const { filter } = this.#options;
    const { staged, proof, selectionEnded, versionSum, accountsStored, assets, incompleteTrees, stages } =
      await this.#fill();
    const coverage: Coverage = filter ?? { kind: "whole" };
    const receipt = receiptOf(proof, {
      full: staged.sources.full.place,
      incremental: staged.sources.incremental?.place ?? null,
      coverage,
      selectionEnded,
      versionSum,
      accountsStored,
      assets,
      incompleteTrees,
      seconds: this.#seconds(this.#startedMs),
    });
    this.#signal?.throwIfAborted();
    const emit = (step: string): void => this.#emitter.update({ stage: "finish", share: null, step });
    const notes = { [receiptKey]: writeReceiptText(receipt) };
    const search = new LoadedSearch(this.#options.store, this.#load.folder);
    await this.#load.publish(coverage, notes, emit, (draft) => search.fill(draft));
    search.publish();
    this.#emitter.update({ stage: "finish", share: 1 });
    return {
      ...receipt,
      seconds: this.#seconds(this.#startedMs),
      stages: { ...stages, finish: this.#lap() },
    };
  }

  async #fill() {
    const { filter, verify } = this.#options;
    const derivers = this.#threads(false);
    const merging = filter === null ? this.#threads(verify === "full") : derivers;
    const threads = new LoadThreads(this.#load, merging, derivers);
    try {
      const staged = await this.#stage();
      threads.begin(derivingBits(staged));
      const read = this.#lap();
      const selected = filter === null ? null : await this.#select(staged, filter);
      const selection = selected?.selection ?? null;
      const selectionEnded = selected?.ended ?? null;
      const { proof, ledger, versionSum } = await this.#insert(staged, selection, threads);
      const links = await threads.links();
      const { slot, blockhash } = proof;
      const accountsStored = await this.#load.finishAccounts({ slot, blockhash });
      const insert = this.#lap();
      const assets = await this.#derive(threads, ledger, links);
      const incompleteTrees = await this.#load.countIncompleteTrees();
      const stages = { read, insert, derive: this.#lap() };
      return { staged, proof, selectionEnded, versionSum, accountsStored, assets, incompleteTrees, stages };
    } finally {
      await threads.close();
    }
  }

  async #stage(): Promise<StagedSnapshot> {
    const { full, incremental, filter } = this.#options;
    const { folder } = this.#load;
    const archives = { full, incremental, selection: stageSelectionOf(filter), folder };
    const staged = await stageArchives(archives, this.#emitter, this.#signal);
    // Complete partitions replace the downloads that they were made of.
    this.#saved = staged.saved.then(() => clearStage(downloadFolderIn(folder)));
    this.#saved.catch(() => undefined);
    return staged;
  }

  /**
   * Passes every account to the selection until a round adds nothing. A long chain of collections could require any
   * number of rounds, so their number is bounded. A search that reaches the bound is reported.
   */
  async #select(staged: StagedSnapshot, filter: NonNullable<SnapshotFilter>): Promise<Selected> {
    const selection = new AccountSelection(selectionFilterOf(filter));
    const roundsMax = this.#options.selectionRounds ?? SELECTION_ROUNDS_MAX;
    for (let round = 1; round <= roundsMax; round += 1) {
      const stage = round === 1 ? "select" : `select, round ${round}`;
      const before = selection.size;
      const merge = this.#mergeFiltered(staged);
      for await (const batch of merge.batches()) {
        this.#signal?.throwIfAborted();
        for (const account of accountsOf(batch)) selection.see(account);
        this.#reportMerge(stage, batch.partition, merge);
      }
      if (selection.size === before) return { selection, ended: true };
    }
    this.#emitter.say(selectionNote);
    return { selection, ended: false };
  }

  async #insert(
    staged: StagedSnapshot,
    selection: AccountSelection | null,
    threads: LoadThreads,
  ): Promise<Inserted> {
    const ledger: LedgerState[] = [];
    const versions = emptyVersionSum();
    const insert = async (merge: SnapshotMerge<MergeOutcome>, rows: AsyncIterable<MergedRows>) => {
      for await (const merged of rows) {
        this.#signal?.throwIfAborted();
        await this.#load.insertRows(merged.encoded);
        ledger.push(...merged.ledger);
        joinVersionSum(versions, merged.versions);
        this.#reportMerge("insert", merged.partition, merge);
      }
      return { proof: merge.prove(), ledger, versionSum: versionSumText(versions) };
    };
    if (selection === null) {
      const merge = new SnapshotMerge(staged, { hashes: this.#options.verify, run: threads.mergeAll() });
      return insert(merge, merge.batches());
    }
    const merge = this.#mergeFiltered(staged);
    return insert(merge, threads.mergeSelected(merge.batches(), selection));
  }

  #mergeFiltered(staged: StagedSnapshot): SnapshotMerge {
    return new SnapshotMerge(staged, { hashes: "filtered", run: mergeIn(this.#threads(false)) });
  }

  /**
   * Hashing needs more than one thread next to the writer. For other work, the writer keeps a processor to itself.
   */
  #threads(isHashing: boolean): number {
    const wanted = this.#options.threads ?? availableParallelism() - (isHashing ? 0 : 1);
    return Math.max(1, Math.min(wanted, LOAD_THREADS_MAX));
  }

  #reportMerge(stage: string, partition: number, merge: SnapshotMerge<MergeOutcome>): void {
    this.#emitter.update({
      stage,
      share: (partition + 1) / merge.partitionsTotal,
      accounts: merge.counts.living,
      bytes: merge.counts.dataBytes,
    });
  }

  /** Returns the number of assets. */
  async #derive(
    threads: LoadThreads,
    ledger: readonly LedgerState[],
    links: AsyncIterable<DerivedRows>,
  ): Promise<number> {
    const writes = await this.#load.openDerived();
    let assets = 0;
    let pages = 0;
    const emit = (): void => {
      this.#signal?.throwIfAborted();
      pages += 1;
      const share = pages / (2 * threads.partitions);
      this.#emitter.update({ stage: "derive", share, accounts: assets, bytes: 0 });
    };
    await writes.insertLedger(ledger);
    for await (const { encoded } of links) {
      await writes.insertLinks(encoded);
      emit();
    }
    for await (const { encoded, count } of await threads.assets()) {
      await writes.insertAssets(encoded);
      assets += count;
      emit();
    }
    await writes.close();
    return assets;
  }

  #lap(): number {
    const seconds = this.#seconds(this.#stageStartedMs);
    this.#stageStartedMs = performance.now();
    return seconds;
  }

  #seconds(sinceMs: number): number {
    return Math.round(performance.now() - sinceMs) / 1000;
  }
}

interface Selected {
  readonly selection: AccountSelection;
  /** Whether the last round added nothing. */
  readonly ended: boolean;
}

interface Inserted {
  readonly proof: SnapshotProof;
  readonly ledger: readonly LedgerState[];
  /** The sum of the accounts inserted. */
  readonly versionSum: string;
}

/** Claims take about a sixth of the bytes of a ledger. */
const derivingBits = ({ state }: StagedSnapshot): number => {
  const bytes = state.lengths.reduce((sum, length) => sum + length, 0);
  return Math.min(DERIVING_BITS_MAX, Math.max(1, Math.ceil(Math.log2(bytes / DERIVING_STAGED_BYTES))));
};
