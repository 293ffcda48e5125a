import type { StoreImport } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { openImportWith } from "../copy/import-store.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { findUnfinishedLoad, markUnfinishedLoad } from "../schema/unfinished-load.ts";
import { createDeltaTables, hasTable, readDeltaHead } from "./delta-tables.ts";
import { createNode, readStoreId, type ShardPlace } from "./shard-place.ts";

export interface ShardImportsOptions {
  /** URLs of the databases. */
  readonly coordinator: string;
  readonly shards: readonly string[];
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
}

/**
 * Imports into each database of a new or empty store of several shards, the coordinator first. The caller finishes the
 * coordinator last: until then, the store is unfinished, and the next import removes what the shards have.
 *
 * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
 */
export const openShardImports = async (options: ShardImportsOptions): Promise<readonly StoreImport[]> => {
  const { coordinator, shards, holdings } = options;
  const { schema } = parsePostgresUrl(coordinator);
  let storeId = "";
  const first = await openImportWith(
    { url: coordinator, holdings },
    {
      check: async (session) => {
        await assertNothingPublished(session, schema);
        storeId = await readStoreId(session);
      },
      finish: async (session) => {
        if (!(await hasTable(session, schema, "delta_head"))) await createDeltaTables(session);
      },
    },
  );
  const opened = [first];
  try {
    const opening = await Promise.allSettled(
      shards.map((url, place) => {
        const node = { storeId, place, shards: shards.length };
        const check = (session: Session) => prepareShard(session, parsePostgresUrl(url).schema, node);
        return openImportWith({ url, holdings }, { check });
      }),
    );
    for (const one of opening) if (one.status === "fulfilled") opened.push(one.value);
    for (const one of opening) if (one.status === "rejected") throw one.reason;
    return opened;
  } catch (error) {
    for (const one of opened) await one.close();
    throw error;
  }
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
  if (!(await hasTable(session, schema, "node_slot"))) return createNode(session, node);
  const [storeId, place, shards, number] = (await session.get(readNode)) ?? [];
  const isItsPlace =
    storeId === node.storeId && Number(place) === node.place && Number(shards) === node.shards;
  if (!isItsPlace || Number(number) > 0)
    throw new LamplightError("STORE__NOT_EMPTY", { store: session.store });
  if ((await findUnfinishedLoad(session)) === null) await markUnfinishedLoad(session, { indexes: [] });
};
