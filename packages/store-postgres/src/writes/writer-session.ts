import { randomUUID } from "node:crypto";
import { LamplightError } from "@lamplight/errors";
import { assertWholeStore } from "../schema/assert-whole-store.ts";
import { isPlaced } from "../schema/placed-schema.ts";
import { assertNoUnfinishedLoad } from "../schema/unfinished-load.ts";
import { assertExists, assertMigrated, migrate } from "../schema/migrate.ts";
import { inTransaction } from "../engine/in-transaction.ts";
import type { PostgresLocation } from "../engine/location.ts";
import { locate, openSession } from "../engine/open-session.ts";
import type { Session } from "../engine/session.ts";
import { type Backend, readBackendSql, SessionWatch } from "../engine/session-watch.ts";
import {
  LOCK_WAIT_MS,
  WATCHES_PER_SILENCE,
  WRITER_SILENCE_MS,
  WRITERS_KNOWN_MAX,
} from "../engine/settings.ts";
import { passingStatement, statement } from "../engine/statement.ts";

/** A lock of a store, and how the database knows who took it last. */
export interface WriterRole {
  /** Distinguishes our locks from each other, and from those of other applications in the same database. */
  readonly lockClass: number;
  /** Prepares the store for its new holder, and starts its epoch. */
  begin(session: Session, location: PostgresLocation): Promise<number>;
  readEpoch(session: Session): Promise<number>;
}

/** "LAMP" */
export const WRITER_LOCK_CLASS = 0x4c_41_4d_50;

const takeLock = passingStatement("SELECT pg_advisory_lock($1::integer, hashtext($2))");
const raiseEpoch = passingStatement(
  "UPDATE head SET writer_epoch = writer_epoch + 1, writer_id = $1 WHERE id = 1 RETURNING writer_epoch, change_seq",
);
const noteWriter = passingStatement(`INSERT INTO writer_history (epoch, id, change_seq) VALUES ($1, $2, $3)
ON CONFLICT (epoch) DO UPDATE SET id = excluded.id, change_seq = excluded.change_seq`);
const forgetWriters = passingStatement("DELETE FROM writer_history WHERE epoch <= $1");
const readEpoch = statement("SELECT writer_epoch FROM head WHERE id = 1");
const endBackend = passingStatement(
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1::integer AND backend_start::text = $2",
);

export interface WriterOptions {
  /** A load sets it, because it removes the rows of an unfinished one. */
  readonly takesUpUnfinished?: boolean;
  /** Update an older schema, instead of refusing it? Default: what the URL says. */
  readonly migrates?: boolean;
  /** After so long without a sign of life, the lock is lost; default `WRITER_SILENCE_MS`. */
  readonly silenceMs?: number;
  /** Called before tables are created. By default, it refuses one database of a store of several shards. */
  readonly assertUse?: (session: Session, schema: string) => Promise<void>;
}

/** A session with the lock, which is watched. */
interface LockedSession {
  readonly session: Session;
  readonly backend: Backend;
  readonly watch: SessionWatch;
}

/**
 * The one session that writes a store, or its documents. It has an advisory lock of the server, which ends with the
 * connection, or soon after the process froze. Every transaction also checks the epoch of its writer, in case the lock
 * was lost unnoticed. A lost connection is noticed in bounded time, and made again.
 */
export class WriterSession {
  readonly #location: PostgresLocation;
  readonly #silenceMs: number;
  readonly #role: WriterRole;
  readonly epoch: number;
  #locked: LockedSession;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(
    location: PostgresLocation,
    role: WriterRole,
    locked: LockedSession,
    epoch: number,
    silenceMs: number,
  ) {
    this.#location = location;
    this.#role = role;
    this.#locked = locked;
    this.epoch = epoch;
    this.#silenceMs = silenceMs;
  }

  /**
   * Takes the lock, creates a store if there is none (or throws `STORE__MISSING`), and starts a new epoch.
   *
   * @throws LamplightError of the STORE family; `STORE__LOCKED` while another writer lives, `STORE__UNFINISHED`,
   * `STORE__NEEDS_MIGRATION` for an older schema that is not to be migrated
   */
  static async open(
    location: PostgresLocation,
    create: boolean,
    {
      takesUpUnfinished = false,
      migrates = location.autoMigrates,
      silenceMs = WRITER_SILENCE_MS,
      assertUse = assertWholeStore,
    }: WriterOptions = {},
  ): Promise<{ readonly writer: WriterSession; readonly isNew: boolean }> {
    let isNew = false;
    const role: WriterRole = {
      lockClass: WRITER_LOCK_CLASS,
      readEpoch: readWriterEpoch,
      begin: async (session, { schema }) => {
        if (!create) await assertExists(session, schema);
        await assertUse(session, schema);
        if (!migrates) await assertMigrated(session, schema);
        isNew = (await migrate(session, schema)) === 0;
        if (!takesUpUnfinished) await assertNoUnfinishedLoad(session);
        return beginEpoch(session);
      },
    };
    const writer = await WriterSession.openAs(location, role, silenceMs);
    return { writer, isNew };
  }

  /**
   * Takes the lock of another role.
   *
   * @throws LamplightError of the STORE family; `STORE__LOCKED` while another process has the role
   */
  static async openAs(
    location: PostgresLocation,
    role: WriterRole,
    silenceMs: number = WRITER_SILENCE_MS,
  ): Promise<WriterSession> {
    const locked = await openLocked(location, role, silenceMs, null);
    try {
      const epoch = await role.begin(locked.session, location);
      return new WriterSession(location, role, locked, epoch, silenceMs);
    } catch (error) {
      await closeLocked(locked);
      throw error;
    }
  }

  /** Lends the session to one `body` at a time, in the order of the calls. */
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(async () => body(await this.#usable()));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** The same in one transaction, which is committed or rolled back as a whole. */
  write<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return this.read((session) => inTransaction(session, body));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    await closeLocked(this.#locked);
  }

  /** Replaces a failed session. No other process may have written in the meantime. */
  async #usable(): Promise<Session> {
    if (this.#closed) throw new LamplightError("STORE__UNREACHABLE", closedContext(this.#location));
    const lost = this.#locked;
    if (lost.session.isUsable) return lost.session;
    await closeLocked(lost);
    const locked = await openLocked(this.#location, this.#role, this.#silenceMs, lost.backend);
    if ((await this.#role.readEpoch(locked.session)) !== this.epoch) {
      await closeLocked(locked);
      throw new LamplightError("STORE__LOCKED", { store: this.#location.name });
    }
    this.#locked = locked;
    return locked.session;
  }
}

const readWriterEpoch = async (session: Session): Promise<number> =>
  Number((await session.get(readEpoch))?.[0]);

/** Starts a new opening in the store's history, under a random name. */
const beginEpoch = async (session: Session): Promise<number> => {
  const id = randomUUID();
  await session.execute("BEGIN");
  const [epoch, changeSeq] = (await session.get(raiseEpoch, id)) as [bigint, bigint];
  await session.run(noteWriter, epoch, id, changeSeq);
  await session.run(forgetWriters, Number(epoch) - WRITERS_KNOWN_MAX);
  await session.execute("COMMIT");
  return Number(epoch);
};

const closedContext = ({ name }: PostgresLocation) => ({ store: name, reason: "it was closed here" });

/** @param lost - what held the lock here before: the server may not have noticed its end yet */
const openLocked = async (
  location: PostgresLocation,
  { lockClass }: WriterRole,
  silenceMs: number,
  lost: Backend | null,
): Promise<LockedSession> => {
  // A lost session is looked for on the same server; another one ends it by its epoch.
  const server = await locate(location, "writer");
  const session = await openSession(server, { role: "writer", silenceMs });
  try {
    session.isPlaced = await isPlaced(session, location.schema);
    const [row] = await session.execute(readBackendSql);
    const backend = { pid: row?.[0] as number, startedAt: row?.[1] as string };
    if (lost !== null) await session.get(endBackend, lost.pid, lost.startedAt);
    await session.execute(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await session.get(takeLock, lockClass, location.schema);
    await session.execute("SET lock_timeout = 0");
    const watch = new SessionWatch(server, session, backend, silenceMs / WATCHES_PER_SILENCE);
    return { session, backend, watch };
  } catch (error) {
    await session.close();
    throw error;
  }
};

const closeLocked = async ({ session, watch }: LockedSession): Promise<void> => {
  watch.stop();
  await session.close();
};
