import { mkdirSync, rmSync } from "node:fs";
import { AccountBatch, type BulkEncoder, type BulkLoad } from "@lamplight/core";
import { type AccountSelection, ClaimSpill, type SpillPlace } from "@lamplight/indexer";
import { type MergeDone, type RunMerge, ThreadPool } from "@lamplight/sources";
import type { DerivedRows, LoadDone, LoadTask, LoadThreadData, MergedRows } from "./load-messages.ts";

const workerUrl = new URL(`./load-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** The threads of a load: whatever does not need the store is done in them, while the calling one writes. */
export class LoadThreads {
  readonly #place: SpillPlace;
  readonly #load: BulkLoad;
  readonly #pool: ThreadPool<LoadTask, LoadDone>;

  /** @param folder - for what is filed between the steps; made anew */
  constructor(
    load: BulkLoad,
    options: { readonly folder: string; readonly bits: number; readonly threads: number },
  ) {
    const { folder, bits, threads } = options;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    this.#place = { folder, bits };
    this.#load = load;
    const dataOf = (thread: number): LoadThreadData => ({
      encoderUrl: load.rowEncoderUrl,
      holdings: load.holdings,
      place: this.#place,
      name: `thread-${thread}`,
    });
    this.#pool = new ThreadPool(workerUrl, { threads, dataOf, place: folder });
  }

  get partitions(): number {
    return 2 ** this.#place.bits;
  }

  /** Merges every account, and files what it says. */
  mergeAll(): RunMerge<MergedRows> {
    return (tasks, settings) =>
      this.#rows<MergedRows>(tasks.map((task) => ({ kind: "merge", task, settings })));
  }

  /** The same for the accounts of a selection, which only the calling thread knows. */
  async *mergeSelected(
    merged: AsyncIterable<MergeDone>,
    selection: AccountSelection,
  ): AsyncGenerator<MergedRows> {
    const encoder = (await import(this.#load.rowEncoderUrl)) as unknown as BulkEncoder;
    const claims = new ClaimSpill(this.#place, "selection");
    for await (const { bytes, winners, ...outcome } of merged) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const all = new AccountBatch(buffer, winners);
      const wanted = winners.filter((record) => selection.isWanted(all.accountAt(record)));
      const batch = new AccountBatch(buffer, wanted);
      claims.add(batch);
      const { encoded } = encoder.encodeBatch(batch, batch.count, this.#load.holdings);
      yield { kind: "merge", ...outcome, encoded, ledger: claims.takeLedger() };
    }
    claims.close();
  }

  /** Links and seen slots, ascending. Every claim has to be filed. */
  async *links(): AsyncGenerator<DerivedRows> {
    await this.#pool.inEach({ kind: "endMerge" });
    yield* this.#pages("join");
    await this.#pool.inEach({ kind: "endJoin" });
  }

  /** Assets and editions, ascending. After `links`. */
  assets(): AsyncGenerator<DerivedRows> {
    return this.#pages("derive");
  }

  async close(): Promise<void> {
    await this.#pool.close();
    rmSync(this.#place.folder, { recursive: true, force: true });
  }

  #pages(kind: "join" | "derive"): AsyncGenerator<DerivedRows> {
    return this.#rows(Array.from({ length: this.partitions }, (_, partition) => ({ kind, partition })));
  }

  #rows<Rows extends LoadDone>(tasks: readonly LoadTask[]): AsyncGenerator<Rows> {
    return this.#pool.inOrder(tasks) as AsyncGenerator<Rows>;
  }
}
