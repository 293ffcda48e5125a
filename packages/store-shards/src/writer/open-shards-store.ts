import type { IndexStore, UnfinalizedWriter } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl, PostgresCoordinator, ShardWriter } from "@lamplight/store-postgres";
import { parseShardsUrl } from "../location.ts";
import { decodeDelta } from "../numbered-delta.ts";
import { Settler, type SettlerOptions } from "./settler.ts";
import { ShardsStore } from "./shards-store.ts";

export interface ShardsStoreOptions {
  /** `shards://USER:PASSWORD@HOST:PORT/DATABASE?shard=URL&shard=URL`. */
  readonly url: string;
  readonly mode: "write";
  /** Create the tables if there are none? Default yes; otherwise `STORE__MISSING`. */
  readonly create?: boolean;
  /** Milliseconds between the publication of a slot and its first row; default 2500. */
  readonly holdBackMs?: number;
  /** Called with a message where Citus has the rows of a shard on a node that cannot be used. */
  readonly onProblem?: (line: string) => void;
}

/**
 * Opens a store of several shards for writing. Takes the writer's lock of the coordinator, fences off the writer before
 * it on every shard, and repeats the slots that that one has started.
 *
 * @throws LamplightError `STORE__LOCKED` while another writer lives; `STORE__OTHER_SHARD`, `STORE__NOT_EMPTY`, and those
 * of a store in PostgreSQL
 */
export const openShardsStore = (options: ShardsStoreOptions): Promise<IndexStore & UnfinalizedWriter> =>
  openShardsStoreWith(options, (settling) => settling);

/** @param change - wraps what the rows are written through, for tests that delay it or cut it off */
export const openShardsStoreWith = async (
  { url, create = true, holdBackMs, onProblem }: ShardsStoreOptions,
  change: (settling: SettlerOptions) => SettlerOptions,
): Promise<ShardsStore> => {
  const { coordinator: coordinatorUrl, shards: urls } = parseShardsUrl(url);
  const coordinator = await PostgresCoordinator.open(coordinatorUrl, create);
  const shards: ShardWriter[] = [];
  try {
    const [storeId, { holdings, epoch }] = [await coordinator.storeId(), coordinator];
    const opened = await Promise.allSettled(
      urls.map((shard, place) =>
        ShardWriter.open(shard, { storeId, place, shards: urls.length, holdings }, onProblem),
      ),
    );
    for (const one of opened) if (one.status === "fulfilled") shards.push(one.value);
    for (const one of opened) if (one.status === "rejected") throw one.reason;
    // Only after this, no row and no mark of an earlier writer can follow.
    const numbers = await Promise.all(shards.map((shard) => shard.fence(epoch)));
    const { published, started, settled } = await coordinator.readHead();
    for (const [place, number] of numbers.entries())
      if (number < settled || number > started) throw notOfThisState(urls[place]!, number);
    const stored = await coordinator.readDeltas(settled, published);
    const unsettled = await Promise.all(stored.map(decodeDelta));
    const settling = { marks: coordinator, shards, epoch, unsettled, started, settled };
    const settler = new Settler(change(holdBackMs === undefined ? settling : { ...settling, holdBackMs }));
    settler.start();
    return new ShardsStore(coordinator, shards, settler);
  } catch (error) {
    await Promise.all(shards.map((shard) => shard.close()));
    await coordinator.close();
    throw error;
  }
};

/** A shard or the coordinator was restored to an earlier time by itself. */
const notOfThisState = (url: string, number: number): LamplightError =>
  new LamplightError("STORE__CORRUPT", {
    store: parsePostgresUrl(url).name,
    reason: `its rows end at delta ${number}, which the coordinator does not expect`,
  });
