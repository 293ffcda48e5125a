import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AccountBatch, type BulkEncoder, type BulkLoad } from "@lamplight/core";
import { type AccountSelection, ClaimSpill, type SpillPlace } from "@lamplight/indexer";
import { isBareRecord, type MergeDone, type RunMerge, ThreadPool } from "@lamplight/sources/snapshot";
import { brokenInvariant } from "@lamplight/errors";
import type { DerivedRows, LoadDone, LoadTask, LoadThreadData, MergedRows } from "./load-messages.ts";
import { versionSumOf } from "./version-sum.ts";

const workerUrl = new URL(`./load-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** The calling thread, where it files what accounts of a selection say. */
const caller = "selection";
/** Pages of derived rows that the threads may be ahead of the store. */
const PAGES_AHEAD = 24;

/** The threads of a load: anything that does not need the store is done in them, while the calling one writes. */
export class LoadThreads {
  readonly #load: BulkLoad;
  readonly #folder: string;
  readonly #pool: ThreadPool<LoadTask, LoadDone>;
  readonly #names: readonly string[];
  readonly #derivers: number;
  #place: SpillPlace | null = null;

  /**
   * Starts them; it takes a while until they can work.
   *
   * @param derivers - how many of them derive assets
   */
  constructor(load: BulkLoad, threads: number, derivers: number) {
    this.#load = load;
    this.#derivers = derivers;
    this.#folder = join(load.folder, "derive");
    this.#names = Array.from({ length: threads }, (_, thread) => `thread-${thread}`);
    const dataOf = (thread: number): LoadThreadData => ({
      encoderUrl: load.rowEncoderUrl,
      holdings: load.holdings,
      name: this.#names[thread] as string,
    });
    this.#pool = new ThreadPool(workerUrl, { threads, dataOf, place: load.folder });
  }

  /** @param bits - partitions of what is filed for assets, as a power of two */
  begin(bits: number): void {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    this.#place = { folder: this.#folder, bits, writers: [...this.#names, caller] };
  }

  get partitions(): number {
    return 2 ** this.#filed().bits;
  }

  /** Merges every account, and files what it says. */
  mergeAll(): RunMerge<MergedRows> {
    const place = this.#filed();
    return (tasks, settings) =>
      this.#rows<MergedRows>(tasks.map((task) => ({ kind: "merge", task, settings, place })));
  }

  /** The same for the accounts of a selection, which only the calling thread knows. */
  async *mergeSelected(
    merged: AsyncIterable<MergeDone>,
    selection: AccountSelection,
  ): AsyncGenerator<MergedRows> {
    const encoder = (await import(this.#load.rowEncoderUrl)) as unknown as BulkEncoder;
    const claims = new ClaimSpill(this.#filed(), caller);
    for await (const { bytes, winners, ...outcome } of merged) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const all = new AccountBatch(buffer, winners);
      // What only names an account of an asset may need one of a program that no asset has: of that nothing was kept.
      const wanted = winners.filter(
        (record) => !isBareRecord(buffer, record) && selection.isWanted(all.accountAt(record)),
      );
      const batch = new AccountBatch(buffer, wanted);
      claims.add(batch);
      const { encoded } = encoder.encodeBatch(batch, batch.count, this.#load.holdings);
      const versions = versionSumOf(batch);
      yield { kind: "merge", ...outcome, encoded, versions, ledger: claims.takeLedger() };
    }
    claims.close();
  }

  /** Links and seen slots, ascending. Every claim has to be filed. */
  async links(): Promise<AsyncIterable<DerivedRows>> {
    await this.#pool.inEach({ kind: "endMerge" });
    return this.#pages("join");
  }

  /** Assets and editions, ascending. After all `links`. */
  async assets(): Promise<AsyncIterable<DerivedRows>> {
    await this.#pool.inEach({ kind: "endJoin" });
    return this.#pages("derive");
  }

  async close(): Promise<void> {
    await this.#pool.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #pages(kind: "join" | "derive"): AsyncGenerator<DerivedRows> {
    const place = this.#filed();
    const tasks = Array.from({ length: this.partitions }, (_, partition) => ({ kind, partition, place }));
    return this.#rows(tasks, { ahead: PAGES_AHEAD, threads: this.#derivers });
  }

  #rows<Rows extends LoadDone>(
    tasks: readonly LoadTask[],
    options?: { readonly ahead: number; readonly threads: number },
  ): AsyncGenerator<Rows> {
    return this.#pool.inOrder(tasks, options) as AsyncGenerator<Rows>;
  }

  #filed(): SpillPlace {
    if (this.#place === null) throw brokenInvariant("the threads have not started");
    return this.#place;
  }
}
