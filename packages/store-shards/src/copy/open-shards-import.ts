import type { StoreHead, StoreImport, StoreRows, StoreTable } from "@lamplight/core";
import { openShardImports } from "@lamplight/store-postgres";
import { inEach } from "../in-each.ts";
import { parseShardsUrl } from "../location.ts";
import { placeOfRow, type RowPlaces } from "../place-of-row.ts";

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
  return new ShardsImport(coordinator, shards);
};

class ShardsImport implements StoreImport {
  readonly #coordinator: StoreImport;
  readonly #shards: readonly StoreImport[];

  constructor(coordinator: StoreImport, shards: readonly StoreImport[]) {
    this.#coordinator = coordinator;
    this.#shards = shards;
  }

  async write<Table extends StoreTable>(table: Table, rows: readonly StoreRows[Table][]): Promise<void> {
    const placeOf: RowPlaces[Table] = placeOfRow[table];
    const groups = Map.groupBy(rows, (row) => placeOf(row, this.#shards.length));
    await inEach([...groups], ([place, some]) =>
      (place === null ? this.#coordinator : this.#shards[place]!).write(table, some),
    );
  }

  async finish(head: StoreHead, onStep: (step: string) => void): Promise<void> {
    // Views of a shard can be opened also where the store has no slot yet.
    const watermark = head.watermark ?? { slot: 0, blockhash: null };
    await inEach(this.#shards, (shard) => shard.finish({ ...head, watermark, notes: {} }, onStep));
    await this.#coordinator.finish(head, onStep);
  }

  /** The coordinator last: it stays unfinished where a shard keeps rows. */
  async close(): Promise<void> {
    await inEach(this.#shards, (shard) => shard.close());
    await this.#coordinator.close();
  }
}
