import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl, type PostgresLocation } from "../engine/location.ts";
import { inTransaction } from "../engine/in-transaction.ts";
import { locate, openSession } from "../engine/open-session.ts";
import { readBackendSql, SessionWatch } from "../engine/session-watch.ts";
import {
  READ_STATEMENT_TIMEOUT_MS,
  REPLY_GRACE_MS,
  WATCHES_PER_SILENCE,
  WRITER_SILENCE_MS,
} from "../engine/settings.ts";
import type { Session } from "../engine/session.ts";
import type { SessionRole } from "../engine/session-settings.ts";
import { isPlaced } from "../schema/placed-schema.ts";

export interface ShardSessionOptions {
  /** After about half of it, a server that is silent counts as lost. */
  readonly silenceMs?: number;
  /** Called with each session before its first use. What it throws ends the session. */
  readonly check?: ((session: Session) => Promise<void>) | undefined;
}

/**
 * One session that is opened when it is needed, lent to one caller at a time, and opened again after a failure. Where
 * its statements may take any time, it is watched: a server that vanished is noticed in bounded time.
 */
export class ShardSession {
  readonly #location: PostgresLocation;
  readonly #role: SessionRole;
  readonly #silenceMs: number;
  readonly #check: (session: Session) => Promise<void>;
  #session: Session | null = null;
  #watch: SessionWatch | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(location: PostgresLocation, role: SessionRole, options: ShardSessionOptions = {}) {
    this.#location = location;
    this.#role = role;
    this.#silenceMs = options.silenceMs ?? WRITER_SILENCE_MS;
    this.#check = options.check ?? (async () => {});
  }

  static forReading(url: string): ShardSession {
    const role = { role: "reader", statementTimeoutMs: READ_STATEMENT_TIMEOUT_MS } as const;
    return new ShardSession(parsePostgresUrl(url), role);
  }

  /** @throws LamplightError of the STORE family; `STORE__UNREACHABLE` after `close` */
  use<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(async () => body(await this.#usable()));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** The same in one transaction, which is committed or rolled back as a whole. */
  write<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return this.use((session) => inTransaction(session, body, "BEGIN; SET LOCAL synchronous_commit = on"));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#end();
  }

  async #usable(): Promise<Session> {
    if (this.#isClosed)
      throw new LamplightError("STORE__UNREACHABLE", {
        store: this.#location.name,
        reason: "it was closed here",
      });
    if (this.#session?.isUsable === true) return this.#session;
    await this.#end();
    const server = await locate(this.#location, this.#role.role);
    const session = await openSession(server, this.#role);
    try {
      if (this.#role.role === "writer") session.isPlaced = await isPlaced(session, server.schema);
      await this.#check(session);
      if (!hasBound(this.#role)) this.#watch = await watch(server, session, this.#silenceMs);
    } catch (error) {
      await session.close();
      throw error;
    }
    this.#session = session;
    return session;
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#watch?.stop();
    [this.#session, this.#watch] = [null, null];
    await session?.close();
  }
}

/** Whether the answer to each statement has a time of its own, after which the server counts as lost. */
const hasBound = (role: SessionRole): boolean =>
  role.role === "watch" || (role.role === "reader" && role.statementTimeoutMs > 0);

/** Null where a pooler changes the server's process between transactions. */
const watch = async (
  server: PostgresLocation,
  session: Session,
  silenceMs: number,
): Promise<SessionWatch | null> => {
  if (session.backend === null) return null;
  const [row] = await session.execute(readBackendSql, REPLY_GRACE_MS);
  const backend = { pid: row?.[0] as number, startedAt: row?.[1] as string };
  return new SessionWatch(server, session, backend, silenceMs / WATCHES_PER_SILENCE);
};
