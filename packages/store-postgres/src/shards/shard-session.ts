import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl, type PostgresLocation } from "../engine/location.ts";
import { openSession } from "../engine/open-session.ts";
import { READ_STATEMENT_TIMEOUT_MS } from "../engine/settings.ts";
import type { Session } from "../engine/session.ts";
import type { SessionRole } from "../engine/session-settings.ts";

/** One session that is opened when it is needed, lent to one caller at a time, and opened again after a failure. */
export class ShardSession {
  readonly #location: PostgresLocation;
  readonly #role: SessionRole;
  #session: Session | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(location: PostgresLocation, role: SessionRole) {
    this.#location = location;
    this.#role = role;
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
    return this.use(async (session) => {
      try {
        await session.execute("BEGIN; SET LOCAL synchronous_commit = on");
        const result = await body(session);
        await session.execute("COMMIT");
        return result;
      } catch (error) {
        if (session.isUsable) await session.execute("ROLLBACK");
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#session?.close();
  }

  async #usable(): Promise<Session> {
    if (this.#isClosed)
      throw new LamplightError("STORE__UNREACHABLE", {
        store: this.#location.name,
        reason: "it was closed here",
      });
    if (this.#session?.isUsable === true) return this.#session;
    await this.#session?.close();
    this.#session = await openSession(this.#location, this.#role);
    return this.#session;
  }
}
