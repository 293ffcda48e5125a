import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Account, Coverage } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import {
  AccountSelection,
  claimingPrograms,
  deriveStore,
  searchFileOf,
  startSearchLife,
} from "@lamplight/indexer";
import {
  accountsOf,
  clearStage,
  findSnapshotSources,
  SnapshotMerge,
  type SnapshotProof,
  type StagedSnapshot,
  stageSnapshot,
} from "@lamplight/sources";
import {
  type BulkLoad,
  type EncodedRows,
  openBulkLoad,
  openSqliteReader,
  rowEncoderUrl,
} from "@lamplight/store-sqlite";
import { type LoadReceipt, receiptKey, receiptOf } from "./load-receipt.ts";
import type { StageTeller } from "./load-stages.ts";
import { selectionFilterOf, type SnapshotFilter, stageSelectionOf } from "./snapshot-filter.ts";

export interface LoadSnapshotOptions {
  /** File, folder or URL. */
  readonly full: string;
  readonly incremental: string | null;
  /** Where the store goes: nothing there yet, or an empty store. */
  readonly file: string;
  readonly filter: SnapshotFilter;
  readonly verify: "full" | "basic";
  /** Index fungible holdings; default yes. */
  readonly holdings?: boolean;
  readonly fileBytesMax?: number;
  /** That merge, hash and encode, beside the one that writes; default: as many as the machine has. */
  readonly threads?: number;
}

export interface LoadSnapshotSummary extends LoadReceipt {
  /** Seconds of each stage. */
  readonly stages: Readonly<Record<"read" | "insert" | "derive" | "finish", number>>;
}

/** Rounds in which accounts picked may make others wanted; each is a pass over the staged records. */
const SELECTION_ROUNDS_MAX = 8;

/**
 * Turns a ledger snapshot into a served, verified store: reads it into partitions, merges and proves them while the
 * rows are inserted, derives assets, and only then puts the store into its place. Stopped at any point, the same call
 * goes on from the partitions.
 *
 * @throws LamplightError of the families SOURCE and STORE; the place of the store is then as it was
 */
export const loadSnapshot = async (
  options: LoadSnapshotOptions,
  teller: StageTeller,
  signal?: AbortSignal,
): Promise<LoadSnapshotSummary> => {
  const load = openBulkLoad({
    file: options.file,
    ...(options.holdings === undefined ? {} : { holdings: options.holdings }),
    ...(options.fileBytesMax === undefined ? {} : { fileBytesMax: options.fileBytesMax }),
  });
  const run = new SnapshotLoad(options, load, teller, signal);
  try {
    const summary = await run.run();
    clearStage(load.folder);
    return summary;
  } catch (error) {
    // What cannot be trusted is of no use to the next run; what was only interrupted is.
    if (!run.isStaged || isLamplightError(error, "SOURCE__SNAPSHOT_MISMATCH")) clearStage(load.folder);
    throw error;
  } finally {
    load.close();
  }
};

class SnapshotLoad {
  readonly #options: LoadSnapshotOptions;
  readonly #load: BulkLoad;
  readonly #teller: StageTeller;
  readonly #signal: AbortSignal | undefined;
  readonly #startedMs = performance.now();
  #stageStartedMs = this.#startedMs;

  constructor(
    options: LoadSnapshotOptions,
    load: BulkLoad,
    teller: StageTeller,
    signal: AbortSignal | undefined,
  ) {
    this.#options = options;
    this.#load = load;
    this.#teller = teller;
    this.#signal = signal;
  }

  /** Whether partitions lie there that another run could use. */
  get isStaged(): boolean {
    return existsSync(join(this.#stageFolder, "stage.json"));
  }

  get #stageFolder(): string {
    return join(this.#load.folder, "stage");
  }

  async run(): Promise<LoadSnapshotSummary> {
    const { filter } = this.#options;
    const staged = await this.#stage();
    const read = this.#lap();
    const selection = filter === null ? null : await this.#select(staged, filter);
    const proof = await this.#insert(staged, selection);
    const accountsStored = this.#load.finishAccounts({ slot: proof.slot, blockhash: proof.blockhash });
    const insert = this.#lap();
    const { assets, incompleteTrees } = await this.#derive(accountsStored);
    const derive = this.#lap();
    const coverage: Coverage = filter ?? { kind: "whole" };
    const receipt = receiptOf(proof, {
      full: staged.sources.full.place,
      incremental: staged.sources.incremental?.place ?? null,
      coverage,
      accountsStored,
      assets,
      incompleteTrees,
      seconds: this.#seconds(this.#startedMs),
    });
    this.#signal?.throwIfAborted();
    this.#load.publish(coverage, { [receiptKey]: JSON.stringify(receipt) }, () =>
      this.#teller.update({ stage: "finish", share: null, accounts: accountsStored, bytes: 0 }),
    );
    await this.#fillSearch(assets);
    return {
      ...receipt,
      seconds: this.#seconds(this.#startedMs),
      stages: { read, insert, derive, finish: this.#lap() },
    };
  }

  async #stage(): Promise<StagedSnapshot> {
    const { full, incremental, filter } = this.#options;
    const sources = await findSnapshotSources(full, incremental);
    const staged = await stageSnapshot(sources, {
      folder: this.#stageFolder,
      selection: stageSelectionOf(filter),
      onProgress: ({ bytesRead, bytesTotal, bytesUnpacked, records }) =>
        this.#teller.update({
          stage: "read",
          share: bytesTotal === null || bytesTotal === 0 ? null : bytesRead / bytesTotal,
          accounts: records,
          bytes: bytesUnpacked,
        }),
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
    });
    if (staged.wasThere) this.#teller.say("going on from the partitions of an earlier run");
    const { fault, unknownBytes } = (staged.state.incremental ?? staged.state.full).manifest.extras;
    if (fault !== null) this.#teller.say(`the manifest cannot be read to its end: ${fault}`);
    if (unknownBytes > 0) this.#teller.say(`the manifest has ${unknownBytes} bytes more than are known`);
    return staged;
  }

  /** Shows every account to the selection until a round adds nothing. */
  async #select(staged: StagedSnapshot, filter: NonNullable<SnapshotFilter>): Promise<AccountSelection> {
    const selection = new AccountSelection(selectionFilterOf(filter));
    for (let round = 0; round < SELECTION_ROUNDS_MAX; round += 1) {
      const before = selection.size;
      const merge = this.#merge(staged, "filtered");
      for await (const batch of merge.batches()) {
        this.#signal?.throwIfAborted();
        for (const account of accountsOf(batch)) selection.see(account);
        this.#tellMerge("select", batch.partition, merge);
      }
      if (selection.size === before) break;
    }
    return selection;
  }

  async #insert(staged: StagedSnapshot, selection: AccountSelection | null): Promise<SnapshotProof> {
    const merge =
      selection === null
        ? this.#merge(staged, this.#options.verify, rowEncoderUrl)
        : this.#merge(staged, "filtered");
    for await (const batch of merge.batches()) {
      this.#signal?.throwIfAborted();
      if (selection === null) this.#load.insertRows(batch.encoded as EncodedRows);
      else this.#load.insertAccounts([...wantedOf(accountsOf(batch), selection)]);
      this.#tellMerge("insert", batch.partition, merge);
    }
    return merge.prove();
  }

  #merge(staged: StagedSnapshot, hashes: "full" | "basic" | "filtered", encoderUrl?: string): SnapshotMerge {
    const threads = this.#options.threads ?? availableParallelism();
    return new SnapshotMerge(staged, {
      hashes,
      threads,
      ...(encoderUrl === undefined ? {} : { encoderUrl }),
    });
  }

  #tellMerge(stage: "select" | "insert", partition: number, merge: SnapshotMerge): void {
    this.#teller.update({
      stage,
      share: (partition + 1) / merge.partitionsTotal,
      accounts: merge.counts.living,
      bytes: merge.counts.dataBytes,
    });
  }

  async #derive(
    accountsTotal: number,
  ): Promise<{ readonly assets: number; readonly incompleteTrees: number }> {
    const store = this.#load.openStore();
    try {
      const { assets } = await deriveStore(store, () => this.#load.listAccountPages(claimingPrograms), {
        onProgress: ({ step, accounts }) => {
          const share = Math.min(1, accounts / Math.max(1, accountsTotal)) / 2 + (step === "links" ? 0 : 0.5);
          this.#teller.update({ stage: "derive", share, accounts, bytes: 0 });
        },
        ...(this.#signal === undefined ? {} : { signal: this.#signal }),
      });
      return { assets, incompleteTrees: await this.#load.countIncompleteTrees() };
    } finally {
      await store.close();
    }
  }

  /** The index that searches are answered from, saved beside the store; a server without it makes its own. */
  async #fillSearch(assets: number): Promise<void> {
    const reader = openSqliteReader({ file: this.#options.file });
    try {
      const life = await startSearchLife({
        readable: reader,
        file: searchFileOf(this.#options.file),
        onProgress: ({ share }) =>
          this.#teller.update({ stage: "search", share, accounts: assets, bytes: 0 }),
      });
      await life.filled;
      await life.close();
    } finally {
      reader.close();
    }
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

function* wantedOf(accounts: Iterable<Account>, selection: AccountSelection): Generator<Account> {
  for (const account of accounts) if (selection.isWanted(account)) yield account;
}
