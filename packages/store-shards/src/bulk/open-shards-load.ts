import { mkdirSync, rmSync } from "node:fs";
import type {
  BulkLoad,
  Coverage,
  DerivedWrites,
  EncodingOptions,
  LedgerState,
  Watermark,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { type DatabaseLoad, openShardLoads } from "@lamplight/store-postgres";
import { inEach } from "../in-each.ts";
import { parseShardsUrl } from "../location.ts";
import { placeOfRow } from "../place-of-row.ts";
import type { ShardAccounts, ShardAssets, ShardLinks } from "./row-encoder.ts";
import { rowEncoderUrl } from "./row-encoder-url.ts";

export interface ShardsLoadOptions {
  /** `shards://…` of a new or empty store. */
  readonly url: string;
  /** Folder for the files of this load; created if it does not exist. */
  readonly folder: string;
  /** Index fungible holdings? Default yes. */
  readonly holdings?: boolean;
}

/**
 * Builds a store of several shards. Threads split the rows by shard, and each shard gets its own by COPY. The
 * coordinator is finished last: until then no process can read or write the store, and the next load removes its rows.
 *
 * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
 */
export const openShardsLoad = async ({
  url,
  folder,
  holdings = true,
}: ShardsLoadOptions): Promise<BulkLoad> => {
  try {
    const [coordinator, ...shards] = await openShardLoads({ ...parseShardsUrl(url), holdings });
    mkdirSync(folder, { recursive: true });
    return new ShardsLoad(folder, holdings, coordinator, shards);
  } catch (error) {
    // A load that was stopped right after it finished left its folder behind.
    if (isLamplightError(error, "STORE__NOT_EMPTY")) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

class ShardsLoad implements BulkLoad {
  readonly folder: string;
  readonly rowEncoderUrl = rowEncoderUrl;
  readonly encoding: EncodingOptions;
  readonly #coordinator: DatabaseLoad;
  readonly #shards: readonly DatabaseLoad[];
  #assets = 0;
  #watermark: Watermark | null = null;

  constructor(folder: string, holdings: boolean, coordinator: DatabaseLoad, shards: readonly DatabaseLoad[]) {
    this.folder = folder;
    this.encoding = { holdings, shards: shards.length };
    this.#coordinator = coordinator;
    this.#shards = shards;
  }

  async insertRows(rows: ShardAccounts): Promise<void> {
    await inEach(this.#shards, async (shard, place) => {
      if (rows[place]!.count > 0) await shard.insertRows(rows[place]!);
    });
  }

  async finishAccounts(watermark: Watermark): Promise<number> {
    this.#watermark = watermark;
    await this.#coordinator.finishAccounts();
    const counts = await inEach(this.#shards, (shard) => shard.finishAccounts());
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async openDerived(): Promise<DerivedWrites> {
    return {
      insertLedger: (ledger: readonly LedgerState[]) => this.#insertLedger(ledger),
      insertLinks: async (page) => {
        await inEach(this.#shards, (shard, place) => shard.insertLinks((page as ShardLinks)[place]!));
      },
      insertAssets: (page) => this.#insertAssets(page as ShardAssets),
      close: async () => undefined,
    };
  }

  countIncompleteTrees(): Promise<number> {
    return this.#coordinator.countIncompleteTrees();
  }

  async publish(
    coverage: Coverage,
    notes: Readonly<Record<string, string>>,
    onStep: (step: string) => void,
  ): Promise<void> {
    const loaded = { watermark: this.#watermark, assets: this.#assets, coverage };
    await inEach(this.#shards, async (shard) => {
      await shard.buildIndexes(onStep);
      await shard.finish({ ...loaded, notes: {} });
    });
    await this.#coordinator.buildIndexes(onStep);
    onStep("mark");
    await this.#coordinator.finish({ ...loaded, notes });
  }

  /** The coordinator last: it stays unfinished where a shard keeps rows. */
  async close(): Promise<void> {
    await inEach(this.#shards, (shard) => shard.close());
    await this.#coordinator.close();
  }

  async #insertLedger(ledger: readonly LedgerState[]): Promise<void> {
    const groups = Map.groupBy(ledger, (row) => placeOfRow.ledger(row, this.#shards.length));
    await this.#coordinator.insertLedger(groups.get(null) ?? []);
    await inEach(this.#shards, (shard, place) => shard.insertLedger(groups.get(place) ?? []));
  }

  async #insertAssets({ count, shards }: ShardAssets): Promise<void> {
    await inEach(this.#shards, (shard, place) => shard.insertAssets(shards[place]!, this.#assets));
    this.#assets += count;
  }
}
