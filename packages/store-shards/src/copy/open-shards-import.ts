import type { MaybePromise, StoreHead, StoreImport, StoreRows, StoreTable } from "@lamplight/core";
import { openShardImports } from "@lamplight/store-postgres";
import { parseShardsUrl } from "../location.ts";
import { shardOf } from "../shard-of.ts";

/**
 * Makes a store of several shards from the rows of another store. Rows go to their shards by COPY, and the coordinator
 * is finished last.
 *
 * @param options.holdings - whether fungible holdings are indexed in the other store
 * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
 */
export const openShardsImport = async (options: {
  readonly url: string;
  readonly holdings: boolean;
}): Promise<StoreImport> => {
  const { url, holdings } = options;
  const [coordinator, ...shards] = await openShardImports({ ...parseShardsUrl(url), holdings });
  return new ShardsImport(coordinator!, shards);
};

class ShardsImport implements StoreImport {
  readonly #coordinator: StoreImport;
  readonly #shards: readonly StoreImport[];

  constructor(coordinator: StoreImport, shards: readonly StoreImport[]) {
    this.#coordinator = coordinator;
    this.#shards = shards;
  }

  async write<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): Promise<void> {
    const groups = Map.groupBy(rows, (row) => places[table](row, this.#shards.length));
    await Promise.all(
      [...groups].map(([place, some]) =>
        (place === null ? this.#coordinator : this.#shards[place]!).write(table, some),
      ),
    );
  }

  async finish(head: StoreHead, onStep: (step: string) => void): Promise<void> {
    // Views of a shard can be opened also where the store has no slot yet.
    const watermark = head.watermark ?? { slot: 0, blockhash: null };
    await this.#each((shard) => shard.finish({ ...head, watermark, notes: {} }, onStep));
    await this.#coordinator.finish(head, onStep);
  }

  async close(): Promise<void> {
    await this.#each((shard) => shard.close());
    await this.#coordinator.close();
  }

  async #each(body: (shard: StoreImport) => MaybePromise<void>): Promise<void> {
    const done = await Promise.allSettled(this.#shards.map(async (shard) => body(shard)));
    for (const one of done) if (one.status === "rejected") throw one.reason;
  }
}

type Places = {
  readonly [Table in StoreTable]: (row: StoreRows[Table], shards: number) => number | null;
};

/** The shard that has a row, as `rowsOfShard` chooses it; null for rows of the coordinator. */
const places: Places = {
  accounts: ({ current }, shards) => shardOf(current.address, shards),
  links: ({ target }, shards) => shardOf(target, shards),
  ledger: ({ kind, key }, shards) => (kind === "tree" ? null : shardOf(key, shards)),
  assetsSeen: ({ id }, shards) => shardOf(id, shards),
  editions: ({ parent }, shards) => shardOf(parent, shards),
  assets: ({ id }, shards) => shardOf(id, shards),
  // Their ids are gone. Changes are read from all shards, so any of them may have such a row.
  assetsRemoved: ({ ordinal }, shards) => ordinal % shards,
  documents: () => null,
};
