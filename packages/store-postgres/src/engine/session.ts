import type { Socket } from "node:net";
import type { Client, ClientConfig } from "pg";
import { sentStatements } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { type Connection, endConnection, makeConnection } from "./connection.ts";
import type { PostgresLocation } from "./location.ts";
import { translateEngineError } from "./engine-errors.ts";
import { localSettingsSql, type SessionRole, settingsSql } from "./session-settings.ts";
import type { Watched } from "./watched.ts";
import {
  type AskedQuery,
  type FieldForm,
  noKnownColumns,
  passRows,
  type QuerySession,
  RowQuery,
  type Value,
} from "./row-messages.ts";
import { REPLY_GRACE_MS } from "./settings.ts";
import type { Statement } from "./statement.ts";

/** One row, columns in the order of the statement. */
export type Row = readonly unknown[];
export type { Value } from "./row-messages.ts";

export type TextRow = readonly (string | null)[];

/** One connection to the server. Statements are sent without waiting for the answers of those before. */
export class Session implements Watched {
  readonly store: string;
  /** Number of the server's process; null where a pooler changes it between transactions. */
  backend: number | null = null;
  /** Whether a pooler answers in the server's place. */
  isPooled = false;
  /** Whether it is open and checked: its statements are published from then on. */
  isReady = false;
  /** Whether the tables are those of a schema that Citus places. */
  isPlaced = false;
  /** Whether names of tables mean the tables of one node of Citus. */
  usesOwnTables = false;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #shared: QuerySession = {
    columns: noKnownColumns(),
    onBroken: () =>
      // Over TLS, it reads another stream than the socket.
      void this.#client.connection.stream.destroy(
        new Error("Connection broken: a row differs from its description"),
      ),
  };
  #isUsable = true;
  #underWay = 0;
  #answers = 0;
  #isCancelled = false;
  /** Settings of each transaction of a reader whose transactions may run in different sessions; null = of no one. */
  #localSettings: string | null = null;
  #isInTransaction = false;

  private constructor({ client, socket }: Connection, store: string) {
    this.store = store;
    this.#client = client;
    this.#socket = socket;
    // A connection that ends while it is idle is no error. The next use reports it.
    client.on("error", () => {
      this.#isUsable = false;
    });
    client.on("end", () => {
      this.#isUsable = false;
    });
  }

  /**
   * Connects to the server of a location, to the first of several; `openSession` chooses.
   *
   * @param checkPooled - called for a writer behind a pooler, before it has settings; what it throws ends the session
   * @throws LamplightError of the STORE family
   */
  static async open(
    location: PostgresLocation,
    role: SessionRole,
    checkPooled: (session: Session) => Promise<void> = async () => {},
  ): Promise<Session> {
    const connection = makeConnection(location, role.role, {
      pipeline: true,
      ...timeoutsOf(role),
    } as ClientConfig);
    passRows(connection.client.connection);
    const session = new Session(connection, location.name);
    try {
      await connection.client.connect();
    } catch (error) {
      throw translateEngineError(error, location.name);
    }
    try {
      await session.#begin(location, role, checkPooled);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** Leaves nothing in a session that a pooler may give to others, before it is known that there is none. */
  async #begin(
    location: PostgresLocation,
    role: SessionRole,
    checkPooled: (session: Session) => Promise<void>,
  ): Promise<void> {
    this.#localSettings = localSettingsSql(location.schema, { role: "watch" });
    await this.#learnBackend(role);
    if (role.role === "watch") return;
    if (this.isPooled && role.role === "reader") {
      this.backend = null;
      this.#localSettings = localSettingsSql(location.schema, role);
      return;
    }
    if (this.isPooled) await checkPooled(this);
    this.#localSettings = null;
    await this.execute(settingsSql(location.schema, role), REPLY_GRACE_MS);
  }

  /**
   * False after any failure. The connection may be gone, or the driver and the server may disagree about prepared
   * statements.
   */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  get isAtWork(): boolean {
    return this.#underWay > 0;
  }

  get answers(): number {
    return this.#answers;
  }

  /** An empty statement, which the server answers in every state of a transaction. */
  beat(): void {
    this.#ask({ text: "" }).catch(() => undefined);
  }

  /** Closes the connection at once. Running statements fail. */
  abandon(): void {
    this.#isUsable = false;
    this.#socket.destroy();
  }

  /**
   * Rejects further statements of a caller that has left, and returns whether the server works for it. The session is
   * not used again, so that a cancel request can never hit another caller's statement.
   */
  cancel(): boolean {
    this.#isCancelled = true;
    if (this.#underWay > 0) this.#isUsable = false;
    return this.#underWay > 0;
  }

  /** Ends a cancelled caller's use. A session without a running statement is used again. */
  renew(): void {
    this.#isCancelled = false;
  }

  async all(statement: Statement, ...values: Value[]): Promise<readonly Row[]> {
    return rowsOf(await this.#query(statement, values, "values"));
  }

  async get(statement: Statement, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all(statement, ...values))[0];
  }

  /** The same with views of bytes, also for texts: to be used at once, since a view keeps more in memory than it shows. */
  async views(statement: Statement, ...values: Value[]): Promise<readonly Row[]> {
    return rowsOf(await this.#query(statement, values, "views"));
  }

  /** Rows as the server writes them, where making a value of every column would cost more than the statement. */
  async texts(statement: Statement, ...values: Value[]): Promise<readonly TextRow[]> {
    return rowsOf(await this.#query(statement, values, "texts")) as readonly TextRow[];
  }

  /** Number of rows changed. */
  async run(statement: Statement, ...values: Value[]): Promise<number> {
    return (await this.#query(statement, values, "values")).rowCount;
  }

  /**
   * Runs statements that bind nothing, in one message; answers the rows of the last one.
   *
   * @param replyTimeoutMs - how long the answer may take, where the session has no bound of its own
   */
  async execute(sql: string, replyTimeoutMs?: number): Promise<readonly Row[]> {
    if (!this.#needsSettings) return this.#send(sql, -1, replyTimeoutMs);
    return this.#send(`BEGIN READ ONLY; ${this.#localSettings}; ${sql}; COMMIT`, -2, replyTimeoutMs);
  }

  /**
   * Begins a read-only transaction of one snapshot, which `commit` ends, and answers the rows of `sql`.
   *
   * @param sql - first statement of the transaction
   */
  begin(sql: string): Promise<readonly Row[]> {
    const settings = this.#localSettings === null ? "" : `${this.#localSettings}; `;
    this.#isInTransaction = true;
    return this.#send(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${settings}${sql}`, -1);
  }

  async commit(): Promise<void> {
    await this.#send("COMMIT", -1);
    this.#isInTransaction = false;
  }

  /** Ends the transaction. A session that cannot do that is not used again. */
  async end(): Promise<void> {
    await this.commit().catch(() => undefined);
  }

  /** @param resultAt - which statement's rows are answered, from the end */
  async #send(text: string, resultAt: number, replyTimeoutMs?: number): Promise<readonly Row[]> {
    this.#publish(text);
    return rowsOf(await this.#ask({ text }, replyTimeoutMs), resultAt);
  }

  #publish(sql: string): void {
    if (this.isReady && sentStatements.hasSubscribers) sentStatements.publish(sql);
  }

  get #needsSettings(): boolean {
    return this.#localSettings !== null && !this.#isInTransaction;
  }

  /** Read by a statement: a pooler reports another number at the connection's start. */
  async #learnBackend({ role }: SessionRole): Promise<void> {
    const [row] = await this.execute(
      "SELECT pg_backend_pid()",
      role === "watch" ? undefined : REPLY_GRACE_MS,
    );
    this.backend = row?.[0] as number;
    const { processID } = this.#client as unknown as { readonly processID: number | null };
    this.isPooled = processID !== this.backend;
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    await endConnection({ client: this.#client, socket: this.#socket });
  }

  async #query(
    { name, text, placedText = text }: Statement,
    values: readonly Value[],
    form: FieldForm,
  ): Promise<RowQuery> {
    if (this.#isCancelled) throw cancelled();
    this.#publish(text);
    // A prepared statement belongs to a session, and a pooler gives the next transaction another one.
    const kept = this.#localSettings === null ? name : null;
    const asked = { text: this.isPlaced ? placedText : text, name: kept, values, form };
    return this.#needsSettings ? this.#inTransaction(asked) : this.#ask(asked);
  }

  /** Sends a transaction with this one statement, without waiting in between. */
  #inTransaction(asked: AskedQuery): Promise<RowQuery> {
    this.#ask({ text: `BEGIN READ ONLY; ${this.#localSettings}` }).catch(() => undefined);
    const answer = this.#ask(asked);
    this.#ask({ text: "COMMIT" }).catch(() => undefined);
    return answer;
  }

  /** @param replyTimeoutMs - how long the answer may take; default: as the session was opened */
  #ask(asked: AskedQuery, replyTimeoutMs?: number): Promise<RowQuery> {
    const query = new RowQuery(asked, this.#shared);
    if (replyTimeoutMs !== undefined) query.query_timeout = replyTimeoutMs;
    this.#underWay += 1;
    return new Promise((resolve, reject) => {
      query.callback = (error) => {
        this.#underWay -= 1;
        this.#answers += 1;
        if (error === null) resolve(query);
        else reject(this.#fail(error) as Error);
      };
      this.#client.query(query);
    });
  }

  #fail(error: unknown): unknown {
    this.#isUsable = false;
    return translateEngineError(error, this.store);
  }
}

const rowsOf = ({ results }: RowQuery, at = -1): readonly Row[] => results.at(at) ?? [];

/** The refusal of statements of a caller that has left, or whose call has failed. */
export const cancelled = (): LamplightError =>
  new LamplightError("QUERY__OVER_BUDGET", { reason: "the caller is gone", cheaper: "stay" });

/**
 * A server that vanished ends no statement, and says nothing: without this, callers would wait for TCP's retries, a
 * quarter of an hour. Statements that load a store may take long, so those writers have no such timeout.
 */
const timeoutsOf = (
  role: SessionRole,
): { readonly query_timeout?: number; readonly connectionTimeoutMillis?: number } => {
  if (role.role === "watch")
    return { query_timeout: role.replyTimeoutMs, connectionTimeoutMillis: role.replyTimeoutMs };
  const { statementTimeoutMs = 0 } = role;
  return statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + REPLY_GRACE_MS } : {};
};
