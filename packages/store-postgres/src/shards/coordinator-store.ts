import type { ChangeSet, Ordinal, Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { openWithSession, type PostgresIndexStore, type PostgresStore } from "../open-postgres-store.ts";
import { readHead } from "../queries/read-head.ts";
import { assertStillWriter } from "../writes/write-head.ts";
import type { WriterSession } from "../writes/writer-session.ts";
import {
  createDeltaTables,
  deleteDeltas,
  type DeltaHead,
  hasTable,
  moveStarted,
  moveSettled,
  readDeltaHead,
  readDeltas,
  type StoredDelta,
  writeDelta,
} from "./delta-tables.ts";
import { readStoreId } from "./shard-place.ts";

/** The counters that numbers of a delta are taken from. */
export interface Counters {
  readonly changeSeq: number;
  readonly nextOrdinal: Ordinal;
  /** The slot of the store before the delta. */
  readonly slot: Slot | null;
}

/** What `publish` stores of a delta, besides its number and its slot. */
export type NumberedBody = Pick<StoredDelta, "changeSeq" | "nextOrdinal" | "body">;

/**
 * The database that coordinates a store of several shards: a store of its own, with the numbered deltas next to its
 * tables. Only one process writes it.
 */
export class PostgresCoordinator {
  /** Settings, off-chain documents, and slots that are not finalized. Its `commit` is not used. */
  readonly store: PostgresIndexStore;
  readonly epoch: number;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
  readonly #store: PostgresStore;
  readonly #writer: WriterSession;

  private constructor(store: PostgresStore, writer: WriterSession, holdings: boolean) {
    this.store = store;
    this.#store = store;
    this.#writer = writer;
    this.epoch = writer.epoch;
    this.holdings = holdings;
  }

  /**
   * Takes the writer's lock and starts a new epoch. A writer before this one can move nothing any more.
   *
   * @throws LamplightError of the STORE family; `STORE__NOT_EMPTY` for a filled store that coordinates no shards
   */
  static async open(url: string, create: boolean): Promise<PostgresCoordinator> {
    const opening = { url, mode: "write", create, migrates: true } as const;
    const { store, writer, holdings } = await openWithSession(opening, true);
    try {
      await writer.write((session) => prepare(session, parsePostgresUrl(url).schema));
      return new PostgresCoordinator(store, writer, holdings);
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  readHead(): Promise<DeltaHead> {
    return this.#writer.read(readDeltaHead);
  }

  readDeltas(after: number, through: number): Promise<readonly StoredDelta[]> {
    return this.#writer.read((session) => readDeltas(session, after, through));
  }

  /** Random name of the store. */
  storeId(): Promise<string> {
    return this.#writer.read(readStoreId);
  }

  /**
   * Publishes the next delta, in one transaction with the rows of `changes` that are the coordinator's own. It is
   * durable when this resolves.
   *
   * @param toBody - numbers the delta from the counters before it
   */
  async publish(
    changes: ChangeSet,
    toBody: (counters: Counters) => Promise<NumberedBody>,
  ): Promise<Omit<StoredDelta, "body">> {
    let published: StoredDelta | null = null;
    await this.#store.commitWith(changes, async (session, head) => {
      await session.execute(durableText);
      const { slot } = await readHead(session);
      const numbered = await toBody({ changeSeq: head.changeSeq, nextOrdinal: head.nextOrdinal, slot });
      head.changeSeq = numbered.changeSeq;
      head.nextOrdinal = numbered.nextOrdinal;
      const number = (await readDeltaHead(session)).published + 1;
      published = { ...numbered, number, slot: head.slot };
      await writeDelta(session, published);
    });
    return published!;
  }

  /** It is durable when this resolves: the caller writes the first row after that. */
  begin(number: number): Promise<void> {
    return this.#move((session) => moveStarted(session, number));
  }

  /** The caller calls it when every shard has acknowledged the delta. */
  settle(number: number): Promise<void> {
    return this.#move((session) => moveSettled(session, number));
  }

  /** Deletes the bodies up to a number that is settled. */
  forget(through: number): Promise<void> {
    return this.#move((session) => deleteDeltas(session, through));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #move(body: Parameters<WriterSession["write"]>[0]): Promise<void> {
    return this.#writer.write(async (session) => {
      await session.execute(durableText);
      await assertStillWriter(session, this.epoch);
      await body(session);
    });
  }
}

/** Rows that a store has without shards would be read from no shard. */
const prepare = async (session: Session, schema: string): Promise<void> => {
  if (await hasTable(session, schema, "delta_head")) return;
  const { slot, changeSeq } = await readHead(session);
  const isEmpty = slot === null && changeSeq === 0 && !(await hasTable(session, schema, "node_slot"));
  if (!isEmpty) throw new LamplightError("STORE__NOT_EMPTY", { store: session.store });
  await createDeltaTables(session);
};

/** A database may be set to answer before a commit is on its disk. */
const durableText = "SET LOCAL synchronous_commit = on";
