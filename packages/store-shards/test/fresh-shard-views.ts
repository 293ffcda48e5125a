import type { PostgresReader, TransactionView } from "@lamplight/store-postgres";
import type { ShardViews } from "../src/reader/shard-views.ts";

/** A new snapshot for every read: two reads of one shard are of different states too. */
export class FreshShardViews implements ShardViews {
  readonly #readers: readonly PostgresReader[];

  constructor(readers: readonly PostgresReader[]) {
    this.#readers = readers;
  }

  get count(): number {
    return this.#readers.length;
  }

  async lend<Result>(place: number, body: (view: TransactionView) => Promise<Result>): Promise<Result> {
    const view = await this.#readers[place]!.openView("finalized");
    try {
      return await body(view);
    } finally {
      view.close();
    }
  }

  cancel(): void {}

  close(): void {}
}
