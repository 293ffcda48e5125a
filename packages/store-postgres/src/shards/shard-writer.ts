import type { AddressBytes, IndexReader, Ordinal } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl, type PostgresLocation } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { checkIntegrity } from "../integrity/check-integrity.ts";
import { newWriting } from "../open-postgres-store.ts";
import { createIndexReader } from "../reader/index-reader.ts";
import { migrate } from "../schema/migrate.ts";
import type { AccountWriting } from "../writes/write-accounts.ts";
import { readHead } from "../queries/read-head.ts";
import { hasTable } from "./delta-tables.ts";
import { assertNotMoved, RowsMoved } from "./own-tables.ts";
import { assertMayCreate, assertOnOneNode } from "../schema/placed-schema.ts";
import { createNode, otherShard, type ShardPlace } from "./shard-place.ts";
import { findOrdinalsById } from "./shard-reads.ts";
import { type OnProblem, ShardSessions } from "./shard-sessions.ts";
import { type ShardRows, writeNumbered } from "./write-numbered.ts";

/** What a shard is created with. */
export interface NewShard extends ShardPlace {
  readonly holdings: boolean;
}

const findNode = statement("SELECT store_id, place, shards FROM node_slot WHERE id = 1");
/** Views of a shard can be opened before its first row. */
const startHead = statement("UPDATE head SET slot = 0 WHERE id = 1 AND slot IS NULL");
const takeNode = statement("UPDATE node_slot SET epoch = $1 WHERE id = 1 AND epoch <= $1 RETURNING number");
const readNumber = statement("SELECT number FROM node_slot WHERE id = 1");
const moveNode = statement("UPDATE node_slot SET number = $1, slot = $2 WHERE id = 1");

/** Writes the rows of one shard, each delta as a local transaction. */
export class ShardWriter {
  readonly reader: IndexReader;
  readonly #location: PostgresLocation;
  readonly #writing: AccountWriting;
  readonly #sessions: ShardSessions;

  private constructor(location: PostgresLocation, holdings: boolean, onProblem: OnProblem) {
    this.#location = location;
    this.#writing = newWriting(holdings);
    this.#sessions = new ShardSessions(location, onProblem);
    this.reader = createIndexReader((body) => this.#sessions.read(body), newWriting(holdings).programs);
  }

  /**
   * Creates the tables if there are none.
   *
   * @param onProblem - called with a message where Citus has the rows on a node that cannot be used
   * @throws LamplightError of the STORE family; `STORE__NOT_EMPTY` for a store that is no shard, `STORE__OTHER_SHARD`
   */
  static async open(url: string, place: NewShard, onProblem: OnProblem = () => {}): Promise<ShardWriter> {
    const location = parsePostgresUrl(url);
    const shard = new ShardWriter(location, place.holdings, onProblem);
    try {
      await shard.#sessions.useOwn((session) => prepare(session, location, place));
      return shard;
    } catch (error) {
      await shard.close();
      throw error;
    }
  }

  /**
   * From now on, writers of an earlier epoch write no row. Waits for their transaction.
   *
   * @returns the newest delta that the rows contain
   * @throws LamplightError `STORE__LOCKED` where a newer writer was here
   */
  async fence(epoch: number): Promise<number> {
    const number = await this.#sessions.writeOwn((session) => this.#take(session, epoch));
    await this.#sessions.follow(epoch);
    return number;
  }

  /**
   * Writes the rows of the next delta, or nothing where the shard has them already.
   *
   * @throws LamplightError `STORE__LOCKED` where a newer writer was here
   */
  async write(epoch: number, rows: ShardRows): Promise<void> {
    try {
      await this.#tryWrite(epoch, rows);
    } catch (error) {
      if (!(error instanceof RowsMoved)) throw error;
      // The node that has the rows now is used.
      await this.#tryWrite(epoch, rows);
    }
  }

  async #tryWrite(epoch: number, rows: ShardRows): Promise<void> {
    try {
      await this.#sessions.follow(epoch);
      await this.#sessions.write(
        async (session) => {
          const number = await this.#take(session, epoch);
          await assertNotMoved(session);
          if (number >= rows.number) return;
          if (number < rows.number - 1) throw this.#corrupt(`its rows end at delta ${number}`);
          await writeNumbered(session, this.#writing, rows);
          await session.run(moveNode, rows.number, rows.slot);
        },
        (session) => this.#assertVisible(session, rows.number),
      );
    } catch (error) {
      this.#writing.programs.forget();
      this.#writing.topAccounts.refill.search = null;
      throw error;
    }
  }

  /** Ordinals by asset id, null where there is no asset. */
  readOrdinals(ids: readonly AddressBytes[]): Promise<readonly (Ordinal | null)[]> {
    return this.#sessions.read((session) => findOrdinalsById(session, ids));
  }

  checkIntegrity(): Promise<readonly string[]> {
    return this.#sessions.read((session) => checkIntegrity(session, newWriting(true).programs));
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #take(session: Session, epoch: number): Promise<number> {
    const taken = await session.get(takeNode, epoch);
    if (taken === undefined) throw new LamplightError("STORE__LOCKED", { store: session.store });
    return Number(taken[0]);
  }

  /**
   * Citus may acknowledge a commit in two phases before the node has it. Then the next attempt waits until the node has.
   */
  async #assertVisible(session: Session, number: number): Promise<void> {
    if (!session.isPlaced || Number((await session.get(readNumber))?.[0]) >= number) return;
    throw new LamplightError("STORE__UNREACHABLE", {
      store: session.store,
      reason: "its node does not have a commit yet that was acknowledged",
    });
  }

  #corrupt(reason: string): LamplightError {
    return new LamplightError("STORE__CORRUPT", { store: this.#location.name, reason });
  }
}

const prepare = async (
  session: Session,
  location: PostgresLocation,
  { storeId, place, shards, holdings }: NewShard,
): Promise<void> => {
  const isNew = !(await hasTable(session, location.schema, "node_slot"));
  if (isNew) await assertMayCreate(session);
  const found = await migrate(session, location.schema);
  if (isNew) {
    if (found > 0 && !(await isUnused(session, location)))
      throw new LamplightError("STORE__NOT_EMPTY", { store: location.name });
    await session.execute("BEGIN");
    await createNode(session, location.schema, { storeId, place, shards });
    if (!holdings) await session.execute("INSERT INTO meta VALUES ('holdings', 'off')");
    await session.execute("COMMIT");
  }
  await assertOnOneNode(session, location.schema);
  const row = await session.get(findNode);
  if (row?.[0] !== storeId || Number(row[1]) !== place || Number(row[2]) !== shards)
    throw otherShard(location.name, place);
  await session.run(startHead);
};

/** Whether there are only the tables that a cut-off `prepare` has left. */
const isUnused = async (session: Session, { schema }: PostgresLocation): Promise<boolean> => {
  if (await hasTable(session, schema, "delta_head")) return false;
  const { slot, changeSeq, writerEpoch } = await readHead(session);
  return slot === null && changeSeq === 0 && writerEpoch === 0;
};
