import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AccountBatch, type BulkEncoder, type BulkLoad } from "@lamplight/core";
import { type AccountSelection, ClaimSpill, type SpillPlace } from "@lamplight/indexer";
import { isBareRecord, type MergeDone, type RunMerge, ThreadPool } from "@lamplight/sources/snapshot";
import { brokenInvariant } from "@lamplight/errors";
import type { DerivedRows, LoadDone, LoadTask, LoadThreadData, MergedRows } from "./load-messages.ts";
import { versionSumOf } from "./version-sum.ts";

const workerUrl = new URL(`./load-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** The calling thread's number, where it files claims of selected accounts. */
const caller = "selection";
/** Pages of derived rows that may wait for the store. */
const PAGES_AHEAD = 24;

/** The threads of a load. They do everything that needs no store, while the calling thread writes. */
export class LoadThreads {
  readonly #load: BulkLoad;
  readonly #folder: string;
  readonly #pool: ThreadPool<LoadTask, LoadDone>;
  readonly #names: readonly string[];
  readonly #derivers: number;
  #place: SpillPlace | null = null;

  /**
   * Starts the threads, which takes some time.
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
      encoding: load.encoding,
      name: this.#names[thread] as string,
    });
    this.#pool = new ThreadPool(workerUrl, { threads, dataOf, place: load.folder });
  }

  /** @param bits - partitions of claims, as a power of two */
  begin(bits: number): void {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    this.#place = { folder: this.#folder, bits, writers: [...this.#names, caller] };
  }

  get partitions(): number {
    return 2 ** this.#filed().bits;
  }

  /** Merges every account, and files its claims. */
  mergeAll(): RunMerge<MergedRows> {
    const place = this.#filed();
    return (tasks, settings) =>
      this.#rows<MergedRows>(tasks.map((task) => ({ kind: "merge", task, settings, place })));
  }

  /** The same for selected accounts, which only the calling thread knows. */
  async *mergeSelected(
    merged: AsyncIterable<MergeDone>,
    selection: AccountSelection,
  ): AsyncGenerator<MergedRows> {
    const encoder = (await import(this.#load.rowEncoderUrl)) as unknown as BulkEncoder;
    const claims = new ClaimSpill(this.#filed(), caller);
    for await (const { bytes, winners, ...outcome } of merged) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const all = new AccountBatch(buffer, winners);
      // A bare record names an account whose data was not kept, because its program describes no asset.
      const wanted = winners.filter(
        (record) => !isBareRecord(buffer, record) && selection.isWanted(all.accountAt(record)),
      );
      const batch = new AccountBatch(buffer, wanted);
      claims.add(batch);
      const { encoded } = encoder.encodeBatch(batch, batch.count, this.#load.encoding);
      const versions = versionSumOf(batch);
      yield { kind: "merge", ...outcome, encoded, versions, ledger: claims.takeLedger() };
    }
    claims.close();
  }

  /** Links and seen slots, ascending. The caller calls it after every claim is filed. */
  async links(): Promise<AsyncIterable<DerivedRows>> {
    await this.#pool.inEach({ kind: "endMerge" });
    return this.#pages("join");
  }

  /** Assets and editions, ascending. The caller calls it after all `links`. */
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
