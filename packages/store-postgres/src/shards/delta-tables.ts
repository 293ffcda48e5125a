// Tables next to those of the coordinator: the numbered deltas, and how far they are in the rows of the shards.

import type { Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { UNFINALIZED_PART_BYTES } from "../engine/settings.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import type { Session } from "../engine/session.ts";
import { bulkInsert, runBulk } from "../writes/bulk.ts";

/** How far the deltas of a store are. Numbers grow by one with each delta; 0 = none yet. */
export interface DeltaHead {
  /** The newest delta that readers can read. */
  readonly published: number;
  /** The newest delta whose rows may be on their way to a shard. */
  readonly started: number;
  /** The newest delta whose rows every shard has acknowledged. */
  readonly settled: number;
}

/** A delta as it is stored. */
export interface StoredDelta {
  readonly number: number;
  /** The slot of the store after it; null before the first watermark. */
  readonly slot: Slot | null;
  /** Change counter and next ordinal after it. */
  readonly changeSeq: number;
  readonly nextOrdinal: number;
  readonly body: Uint8Array;
}

const tablesSql = `
CREATE TABLE delta_head (
  id smallint PRIMARY KEY,
  published bigint NOT NULL,
  started bigint NOT NULL,
  settled bigint NOT NULL
);
INSERT INTO delta_head VALUES (1, 0, 0, 0);
CREATE TABLE numbered_delta (
  number bigint NOT NULL,
  part integer NOT NULL,
  slot bigint,
  change_seq bigint NOT NULL,
  next_ordinal bigint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (number, part)
);
ALTER TABLE numbered_delta ALTER COLUMN body SET STORAGE EXTERNAL;`;

/** Only where there are none: an `ALTER TABLE` waits for every open view, and later views would wait for it. */
export const createDeltaTables = async (session: Session): Promise<void> => {
  await session.execute(tablesSql);
};

/** Whether a schema has a table. */
export const hasTable = async (session: Session, schema: string, table: string): Promise<boolean> => {
  const rows = await session.execute(
    `SELECT 1 FROM pg_tables WHERE schemaname = '${schema}' AND tablename = '${table}'`,
  );
  return rows.length > 0;
};

const readHead = statement("SELECT published, started, settled FROM delta_head WHERE id = 1");
const readStartedStatement = statement("SELECT started, pg_is_in_recovery() FROM delta_head WHERE id = 1");
const setPublished = statement("UPDATE delta_head SET published = $1 WHERE id = 1");
/** A smaller step may follow a failed one, of which a shard may have rows. */
const setStarted = statement("UPDATE delta_head SET started = greatest(started, $1::bigint) WHERE id = 1");
const setSettled = statement("UPDATE delta_head SET settled = $1 WHERE id = 1");
const deleteThrough = statement("DELETE FROM numbered_delta WHERE number <= $1");
const listParts = statement(`SELECT number, slot, change_seq, next_ordinal, body FROM numbered_delta
WHERE number > $1 AND number <= $2 ORDER BY number, part`);
const insertParts = bulkInsert("numbered_delta", [
  ["number", "bigint"],
  ["part", "integer"],
  ["slot", "bigint"],
  ["change_seq", "bigint"],
  ["next_ordinal", "bigint"],
  ["body", "bytea"],
]);

export const readDeltaHead = async (db: Statements): Promise<DeltaHead> => {
  const [published, started, settled] = (await db.get(readHead)) as Row;
  return { published: Number(published), started: Number(started), settled: Number(settled) };
};

/**
 * The newest delta whose rows may be on their way to a shard.
 *
 * @throws LamplightError `STORE__UNREACHABLE` for a standby: its number is an earlier one
 */
export const readStarted = async (db: Statements): Promise<number> => {
  const [started, isStandby] = (await db.get(readStartedStatement)) ?? [];
  if (isStandby === true) throw isStandbyError(db.store);
  return Number(started);
};

export const isStandbyError = (store: string): LamplightError =>
  new LamplightError("STORE__UNREACHABLE", {
    store,
    reason: "it is a standby, and a store of several shards reads primaries only",
  });

/** Deltas above `after`, up to `through`, ascending. */
export const readDeltas = async (
  db: Statements,
  after: number,
  through: number,
): Promise<readonly StoredDelta[]> => {
  const deltas = Map.groupBy(await db.all(listParts, after, through), ([number]) => Number(number));
  return [...deltas].map(([number, parts]) => {
    const [, slot, changeSeq, nextOrdinal] = parts[0]!;
    const bodies = parts.map((part) => part[4] as Uint8Array);
    return {
      number,
      slot: slot === null ? null : Number(slot),
      changeSeq: Number(changeSeq),
      nextOrdinal: Number(nextOrdinal),
      body: bodies.length === 1 ? bodies[0]! : Buffer.concat(bodies),
    };
  });
};

/** Adds the next delta. Part of the commit that moves the head of the coordinator. */
export const writeDelta = async (session: Session, delta: StoredDelta): Promise<void> => {
  const { number, slot, changeSeq, nextOrdinal, body } = delta;
  const parts = Array.from(
    { length: Math.max(1, Math.ceil(body.length / UNFINALIZED_PART_BYTES)) },
    (_, part) => [
      number,
      part,
      slot,
      changeSeq,
      nextOrdinal,
      body.subarray(part * UNFINALIZED_PART_BYTES, (part + 1) * UNFINALIZED_PART_BYTES),
    ],
  );
  await runBulk(session, insertParts, parts);
  await session.run(setPublished, number);
};

export const moveStarted = (session: Session, number: number): Promise<number> =>
  session.run(setStarted, number);

export const moveSettled = (session: Session, number: number): Promise<number> =>
  session.run(setSettled, number);

export const deleteDeltas = (session: Session, through: number): Promise<number> =>
  session.run(deleteThrough, through);
