import type { Socket } from "node:net";
import type { Client, QueryConfig } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type Connection, endConnection, makeConnection } from "./connection.ts";
import { translateEngineError } from "./engine-errors.ts";
import type { PostgresLocation } from "./location.ts";
import { locate } from "./open-session.ts";
import { settingsSql } from "./session-settings.ts";
import { type Backend, readBackendSql, SessionWatch } from "./session-watch.ts";
import type { Watched } from "./watched.ts";
import { LOCK_WAIT_MS, REPLY_GRACE_MS, WATCHES_PER_SILENCE, WRITER_SILENCE_MS } from "./settings.ts";

// The format of COPY … (FORMAT binary): a header, rows, a count of fields that no row has.
const header = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const trailer = Buffer.from([0xff, 0xff]);

/** "LAMC": a lock in addition to the writer's own, which ends with another connection. */
const COPY_LOCK_CLASS = 0x4c_41_4d_43;
const takeLock = (schema: string): string => `SET lock_timeout = ${LOCK_WAIT_MS};
SELECT pg_advisory_lock(${COPY_LOCK_CLASS}, hashtext('${schema}')); SET lock_timeout = 0`;
/** No timeout of the server ends a COPY whose sender is frozen. */
const endHolder = (schema: string): string => `SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND classid = ${COPY_LOCK_CLASS} AND objid::bigint = hashtext('${schema}')::bigint & 4294967295
AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted`;

/**
 * A connection for COPY, the fastest way to insert rows. The writer's session cannot do that, because it sends
 * statements without waiting. It has its own lock: a load that lost the writer's lock unnoticed may still be copying,
 * and the next load waits until it has ended.
 */
export class CopySession implements Watched {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #store: string;
  #watch: SessionWatch | null = null;
  #isUsable = true;
  #isAtWork = false;
  #answers = 0;

  private constructor({ client, socket }: Connection, store: string) {
    this.#client = client;
    this.#socket = socket;
    this.#store = store;
    // An error between two copies is reported by the next one.
    client.on("error", () => {
      this.#isUsable = false;
    });
  }

  /**
   * Ends another load that still copies, because it could not finish any more. The owner of the writer's lock calls it.
   *
   * @throws LamplightError of the STORE family; `STORE__LOCKED` where the other load does not end, or this user must
   * not end it
   */
  static async open(given: PostgresLocation): Promise<CopySession> {
    const location = await locate(given, "writer");
    const connection = makeConnection(location, "load");
    const { client, socket } = connection;
    const session = new CopySession(connection, location.name);
    try {
      await client.connect();
      await client.query(bounded(settingsSql(location.schema, { role: "writer" })));
      const { rows } = await client.query({ ...bounded(readBackendSql), rowMode: "array" });
      const [pid, startedAt] = rows[0] as unknown as [number, string];
      // If this user must not end a session, it keeps the lock, and the next line reports that.
      await client.query(bounded(endHolder(location.schema))).catch(() => undefined);
      await client.query(bounded(takeLock(location.schema)));
      session.#startWatch(location, { pid, startedAt });
      return session;
    } catch (error) {
      socket.destroy();
      throw translateEngineError(error, location.name);
    }
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  get isAtWork(): boolean {
    return this.#isAtWork;
  }

  get answers(): number {
    return this.#answers;
  }

  beat(): void {
    this.#client.query("").then(
      () => (this.#answers += 1),
      () => undefined,
    );
  }

  abandon(): void {
    this.#isUsable = false;
    this.#socket.destroy();
  }

  /**
   * Adds all rows to a table, or none.
   *
   * @param rows - encoded, in pieces of any size
   * @returns their number
   * @throws LamplightError of the STORE family
   */
  async copy(table: string, columns: readonly string[], rows: readonly Uint8Array[]): Promise<number> {
    this.#isAtWork = true;
    try {
      return await this.#send(`COPY ${table} (${columns.join(", ")}) FROM STDIN (FORMAT binary)`, rows);
    } catch (error) {
      throw translateEngineError(error, this.#store);
    } finally {
      this.#isAtWork = false;
    }
  }

  async close(): Promise<void> {
    this.#watch?.stop();
    this.#isUsable = false;
    await endConnection({ client: this.#client, socket: this.#socket });
  }

  async #send(sql: string, rows: readonly Uint8Array[]): Promise<number> {
    const stream = this.#client.query(copyFrom(sql));
    await new Promise<void>((resolve, reject) => {
      stream.once("error", reject).once("finish", resolve);
      for (const piece of [header, ...rows, trailer]) stream.write(piece, () => (this.#answers += 1));
      stream.end();
    });
    return stream.rowCount;
  }

  #startWatch(location: PostgresLocation, backend: Backend): void {
    this.#watch = new SessionWatch(location, this, backend, WRITER_SILENCE_MS / WATCHES_PER_SILENCE);
  }
}

/** Without a timeout, statements before the watch starts could wait for ever. */
const bounded = (text: string): QueryConfig => ({ text, query_timeout: REPLY_GRACE_MS }) as QueryConfig;
