// The databases of a store of several shards while they are filled.

import type { StoreImport } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { DatabaseLoad } from "../bulk/database-load.ts";
import { LoadPlace } from "../bulk/load-place.ts";
import { PostgresImport } from "../copy/import-store.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { assertMayCreate, assertOnOneNode } from "../schema/placed-schema.ts";
import { findUnfinishedLoad, markUnfinishedLoad } from "../schema/unfinished-load.ts";
import { createDeltaTables, hasTable, readDeltaHead } from "./delta-tables.ts";
import { createNode, readStoreId, type ShardPlace } from "./shard-place.ts";

export interface FilledShardsOptions {
  /** URLs of the databases. */
  readonly coordinator: string;
  readonly shards: readonly string[];
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
}

/** The coordinator first. The caller finishes it last, and closes it last. */
type OfEach<Filling> = readonly [coordinator: Filling, ...shards: Filling[]];

/**
 * Imports into each database of a new or empty store of several shards.
 *
 * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
 */
export const openShardImports = async (options: FilledShardsOptions): Promise<OfEach<StoreImport>> =>
  ofEach(await openPlaces(options), (place) => new PostgresImport(place, options.holdings));

/**
 * Bulk loads into each database of a new or empty store of several shards.
 *
 * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
 */
export const openShardLoads = async (options: FilledShardsOptions): Promise<OfEach<DatabaseLoad>> =>
  ofEach(await openPlaces(options), (place) => new DatabaseLoad(place, options.holdings));

const ofEach = <Filling>(
  [coordinator, ...shards]: OfEach<LoadPlace>,
  fill: (place: LoadPlace) => Filling,
): OfEach<Filling> => [fill(coordinator), ...shards.map(fill)];

/**
 * Until the coordinator is finished, the store is unfinished: no process can read or write it, and the next import or
 * load removes what the shards have.
 */
const openPlaces = async ({
  coordinator,
  shards,
  holdings,
}: FilledShardsOptions): Promise<OfEach<LoadPlace>> => {
  const { schema } = parsePostgresUrl(coordinator);
  const opened: LoadPlace[] = [];
  let storeId = "";
  const first = await LoadPlace.open(parsePostgresUrl(coordinator), holdings, {
    assertUse: async () => {},
    check: async (session) => {
      await assertNothingPublished(session, schema);
      storeId = await readStoreId(session);
    },
    finish: async (session) => {
      if (!(await hasTable(session, schema, "delta_head"))) await createDeltaTables(session);
    },
    // A shard that was finished, now or before, may keep its rows. Then a writer must not open the store.
    mayBeEmptied: ({ isRepeated }) =>
      opened.every(({ isEmptied }) => isEmptied) && (!isRepeated || opened.length === shards.length),
  });
  const opening = await Promise.allSettled(
    shards.map(async (url, place) => {
      const location = parsePostgresUrl(url);
      const node = { storeId, place, shards: shards.length };
      return LoadPlace.open(location, holdings, {
        assertUse: assertMayCreate,
        check: (session) => prepareShard(session, location.schema, node),
      });
    }),
  );
  for (const one of opening) if (one.status === "fulfilled") opened.push(one.value);
  for (const one of opening)
    if (one.status === "rejected") {
      for (const place of [...opened, first]) await place.close();
      throw one.reason;
    }
  return [first, ...opened];
};

/** Its rows are in the shards, so its own tables may be empty. */
const assertNothingPublished = async (session: Session, schema: string): Promise<void> => {
  const isShard = await hasTable(session, schema, "node_slot");
  const isCoordinator = !isShard && (await hasTable(session, schema, "delta_head"));
  if (isShard || (isCoordinator && (await readDeltaHead(session)).published > 0))
    throw new LamplightError("STORE__NOT_EMPTY", { store: session.store });
};

const readNode = statement("SELECT store_id, place, shards, number FROM node_slot WHERE id = 1");

/**
 * Gives a database its place. One that has it already is new, or an import was cut off after it had finished this shard:
 * the store has published nothing, so what the shard has counts as unfinished.
 */
const prepareShard = async (session: Session, schema: string, node: ShardPlace): Promise<void> => {
  if (await hasTable(session, schema, "delta_head"))
    throw new LamplightError("STORE__NOT_EMPTY", { store: session.store });
  if (!(await hasTable(session, schema, "node_slot"))) return createNode(session, schema, node);
  await assertOnOneNode(session, schema);
  const [storeId, place, shards, number] = (await session.get(readNode)) ?? [];
  const isItsPlace =
    storeId === node.storeId && Number(place) === node.place && Number(shards) === node.shards;
  if (!isItsPlace || Number(number) > 0)
    throw new LamplightError("STORE__NOT_EMPTY", { store: session.store });
  if ((await findUnfinishedLoad(session)) === null) await markUnfinishedLoad(session, { indexes: [] });
};
