// The place of a shard in its store, and what a reader checks of it.

import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl } from "../engine/location.ts";
import { statement } from "../engine/statement.ts";
import type { Session } from "../engine/session.ts";
import type { Statements } from "../engine/statements.ts";
import { placeByCitus } from "../schema/placed-schema.ts";
import { assertNoUnfinishedLoad } from "../schema/unfinished-load.ts";
import { hasTable, isStandbyError, readStarted } from "./delta-tables.ts";
import { ShardSession } from "./shard-session.ts";

/** The place of a shard in its store. It never changes, because rows are found by it. */
export interface ShardPlace {
  /** Random name of the store, which the coordinator has. */
  readonly storeId: string;
  /** From 0. */
  readonly place: number;
  readonly shards: number;
}

/** Rows of a shard: the writer that may write them, and the newest delta that they contain. */
const nodeSlotSql = `
CREATE TABLE node_slot (
  id smallint PRIMARY KEY,
  epoch bigint NOT NULL,
  number bigint NOT NULL,
  slot bigint,
  store_id text NOT NULL,
  place integer NOT NULL,
  shards integer NOT NULL
);`;
const addNode = statement("INSERT INTO node_slot VALUES (1, 0, 0, NULL, $1, $2, $3)");

/** Gives a database its place, within the session's current transaction. On a Citus, one node gets the schema. */
export const createNode = async (
  session: Session,
  schema: string,
  { storeId, place, shards }: ShardPlace,
): Promise<void> => {
  await session.execute(nodeSlotSql);
  await session.run(addNode, storeId, place, shards);
  await placeByCitus(session, schema);
};

const readNode = statement(
  "SELECT store_id, place, shards, number, pg_is_in_recovery() FROM node_slot WHERE id = 1",
);
const readStoreIdStatement = statement("SELECT value FROM meta WHERE key = 'store_id'");

/** Random name of the store. */
export const readStoreId = async (db: Statements): Promise<string> =>
  (await db.get(readStoreIdStatement))?.[0] as string;

/** The deltas at which the rows of a shard may end. */
export interface ExpectedRows {
  /** The newest delta that every shard has acknowledged. */
  readonly settled: number;
  /** The newest delta that may be there. */
  readonly through: number;
}

/**
 * Refuses rows that are not those of a shard, or that end at another delta than is expected.
 *
 * @throws LamplightError `STORE__OTHER_SHARD`, `STORE__UNREACHABLE` for a standby, `STORE__CORRUPT`
 */
export const assertShard = async (
  db: Statements,
  expected: ShardPlace,
  { settled, through }: ExpectedRows,
): Promise<void> => {
  const [storeId, place, shards, number, isStandby] = (await db.get(readNode)) ?? [];
  if (storeId !== expected.storeId || Number(place) !== expected.place || Number(shards) !== expected.shards)
    throw otherShard(db.store, expected.place);
  if (isStandby === true) throw isStandbyError(db.store);
  if (Number(number) < settled) {
    const reason = `its rows end at delta ${Number(number)}, although it has acknowledged delta ${settled}`;
    throw new LamplightError("STORE__CORRUPT", { store: db.store, reason });
  }
  if (Number(number) > through) {
    const reason = `its rows end at delta ${Number(number)}, and those after ${through} have not started`;
    throw new LamplightError("STORE__CORRUPT", { store: db.store, reason });
  }
};

const anyRows: ExpectedRows = { settled: 0, through: Infinity };

/**
 * Checks the databases of a store before they are read.
 *
 * @throws LamplightError `STORE__NOT_A_STORE` for a coordinator that is none, `STORE__UNFINISHED`, `STORE__OTHER_SHARD`, and
 * `STORE__UNREACHABLE`, also for a standby
 */
export const assertStoreOfShards = async (coordinator: string, shards: readonly string[]): Promise<void> => {
  const storeId = await reading(coordinator, async (session, schema) => {
    if (!(await hasTable(session, schema, "delta_head"))) {
      await assertNoUnfinishedLoad(session);
      throw new LamplightError("STORE__NOT_A_STORE", {
        store: session.store,
        reason: "it coordinates no shards",
      });
    }
    await readStarted(session);
    return readStoreId(session);
  });
  const checks = shards.map((shard, place) =>
    reading(shard, async (session, schema) => {
      if (!(await hasTable(session, schema, "node_slot"))) throw otherShard(session.store, place);
      await assertShard(session, { storeId, place, shards: shards.length }, anyRows);
    }),
  );
  for (const one of await Promise.allSettled(checks)) if (one.status === "rejected") throw one.reason;
};

const reading = async <Result>(
  url: string,
  body: (session: Session, schema: string) => Promise<Result>,
): Promise<Result> => {
  const session = ShardSession.forReading(url);
  try {
    return await session.use((one) => body(one, parsePostgresUrl(url).schema));
  } finally {
    await session.close();
  }
};

export const otherShard = (store: string, place: number): LamplightError =>
  new LamplightError("STORE__OTHER_SHARD", { store, place });
