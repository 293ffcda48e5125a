import type { PostgresReader, TransactionView } from "@lamplight/store-postgres";

/** Opens views of single shards for one view of the store. A read runs within `lend`. */
export interface ShardViews {
  readonly count: number;
  lend<Result>(place: number, body: (view: TransactionView) => Promise<Result>): Promise<Result>;
  cancel(): void;
  close(): void;
}

/** One snapshot of each shard, opened by the first read of the shard. Snapshots of two shards are of different states. */
export class HeldShardViews implements ShardViews {
  readonly #readers: readonly PostgresReader[];
  readonly #views = new Map<number, Promise<TransactionView>>();
  #isClosed = false;

  constructor(readers: readonly PostgresReader[]) {
    this.#readers = readers;
  }

  get count(): number {
    return this.#readers.length;
  }

  async lend<Result>(place: number, body: (view: TransactionView) => Promise<Result>): Promise<Result> {
    const known = this.#views.get(place);
    if (known !== undefined) return body(await known);
    const opening = this.#readers[place]!.openView("finalized");
    this.#views.set(place, opening);
    const view = await opening;
    // The caller may have left in the meantime.
    if (this.#isClosed) view.close();
    return body(view);
  }

  cancel(): void {
    for (const view of this.#views.values()) void view.then((one) => one.cancel(), ignore);
  }

  close(): void {
    this.#isClosed = true;
    for (const view of this.#views.values()) void view.then((one) => one.close(), ignore);
  }
}

/** The read that opened the view has reported it. */
const ignore = (): void => {};
