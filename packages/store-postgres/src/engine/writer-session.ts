import { LamplightError } from "@lamplight/errors";
import { assertNoUnfinishedLoad } from "../bulk/unfinished-load.ts";
import { assertExists, migrate } from "../schema/migrate.ts";
import type { PostgresLocation } from "./location.ts";
import { Session } from "./session.ts";
import { passingStatement, statement } from "./statement.ts";

/** "LAMP": tells our locks from those of other applications in the same database. */
const lockClass = 0x4c_41_4d_50;
/** How long a new writer waits for the one before it: the server may not have noticed yet that it is gone. */
const LOCK_WAIT_MS = 2000;

const takeLock = passingStatement("SELECT pg_advisory_lock($1::integer, hashtext($2))");
const beginEpoch = passingStatement(
  "UPDATE head SET writer_epoch = writer_epoch + 1 WHERE id = 1 RETURNING writer_epoch",
);
const readEpoch = statement("SELECT writer_epoch FROM head WHERE id = 1");

/**
 * The one session that writes a store. It holds an advisory lock of the server, which ends with the connection however
 * the process ends; and every transaction is fenced by the epoch of its writer, should the lock be lost unnoticed.
 */
export class WriterSession {
  readonly #location: PostgresLocation;
  readonly epoch: number;
  #session: Session;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(location: PostgresLocation, session: Session, epoch: number) {
    this.#location = location;
    this.#session = session;
    this.epoch = epoch;
  }

  /**
   * Takes the lock, makes a store where there is none (unless told not to: `STORE__MISSING`), brings the schema to the current one, and begins a new epoch.
   *
   * @param options.takesUpUnfinished - for a load, which empties what another one left
   * @throws LamplightError of the STORE family; `STORE__LOCKED` while another writer lives, `STORE__UNFINISHED`
   */
  static async open(
    location: PostgresLocation,
    create: boolean,
    options: { readonly takesUpUnfinished?: boolean } = {},
  ): Promise<{ readonly writer: WriterSession; readonly isNew: boolean }> {
    const session = await openLocked(location);
    try {
      if (!create) await assertExists(session, location.schema);
      const found = await migrate(session, location.schema);
      if (options.takesUpUnfinished !== true) await assertNoUnfinishedLoad(session);
      const epoch = Number((await session.get(beginEpoch))?.[0]);
      return { writer: new WriterSession(location, session, epoch), isNew: found === 0 };
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** Lends the session to `body` alone: callers wait for their turn, in order. */
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(async () => body(await this.#usable()));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** The same in one transaction: all of it is kept, or nothing. */
  write<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return this.read(async (session) => {
      try {
        await session.execute("BEGIN");
        const result = await body(session);
        await session.execute("COMMIT");
        return result;
      } catch (error) {
        // Where the session itself failed, its end is the end of the transaction.
        if (session.isUsable) await session.execute("ROLLBACK");
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    await this.#session.close();
  }

  /** A session that failed is replaced; nobody may have written meanwhile. */
  async #usable(): Promise<Session> {
    if (this.#closed) throw new LamplightError("STORE__UNREACHABLE", closedContext(this.#location));
    if (this.#session.isUsable) return this.#session;
    await this.#session.close();
    const session = await openLocked(this.#location);
    const epoch = Number((await session.get(readEpoch))?.[0]);
    if (epoch !== this.epoch) {
      await session.close();
      throw new LamplightError("STORE__LOCKED", { store: this.#location.name });
    }
    this.#session = session;
    return session;
  }
}

const closedContext = ({ name }: PostgresLocation) => ({ store: name, reason: "it was closed here" });

const openLocked = async (location: PostgresLocation): Promise<Session> => {
  const session = await Session.open(location, { role: "writer" });
  try {
    await session.execute(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await session.get(takeLock, lockClass, location.schema);
    await session.execute("SET lock_timeout = 0");
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
};
