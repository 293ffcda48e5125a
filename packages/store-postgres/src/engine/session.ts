import type { Socket } from "node:net";
import type { Client, ClientConfig, CustomTypesConfig, QueryArrayConfig, QueryArrayResult } from "pg";
import { LamplightError } from "@lamplight/errors";
import { type Connection, endConnection, makeConnection } from "./connection.ts";
import type { PostgresLocation } from "./location.ts";
import { translateEngineError } from "./engine-errors.ts";
import { type SessionRole, settingsSql } from "./session-settings.ts";
import type { Watched } from "./watched.ts";
import { readRowsAsBytes } from "./row-messages.ts";
import { REPLY_GRACE_MS } from "./settings.ts";
import type { Statement } from "./statement.ts";
import { asWritten, type ValueParsers, valueParsers, viewingParsers } from "./value-parsers.ts";

/** One row, columns in the order of the statement. */
export type Row = readonly unknown[];
export type Value = Uint8Array | string | number | bigint | boolean | null;

export type TextRow = readonly (string | null)[];

/** One connection to the server. Statements are sent without waiting for the answers of those before. */
export class Session implements Watched {
  readonly store: string;
  /**
   * Number of the server's process. Read by a statement, because a pooler would report another one at the
   * connection's start.
   */
  backend: number = 0;
  readonly #client: Client;
  readonly #socket: Socket;
  #isUsable = true;
  #underWay = 0;
  #answers = 0;
  #isCancelled = false;

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

  /** @throws LamplightError of the STORE family */
  static async open(location: PostgresLocation, role: SessionRole): Promise<Session> {
    const connection = makeConnection(location, role.role, {
      pipeline: true,
      types: valueParsers,
      ...replyTimeoutOf(role),
    } as ClientConfig);
    readRowsAsBytes(connection.client.connection);
    const session = new Session(connection, location.name);
    try {
      await connection.client.connect();
    } catch (error) {
      throw translateEngineError(error, location.name);
    }
    try {
      await session.execute(settingsSql(location.schema, role), REPLY_GRACE_MS);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
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
    this.#counted(this.#client.query("")).catch(() => undefined);
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
    return (await this.#query(statement, values)).rows as Row[];
  }

  async get(statement: Statement, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all(statement, ...values))[0];
  }

  /** The same with views of bytes, also for texts: to be used at once, since a view keeps more in memory than it shows. */
  async views(statement: Statement, ...values: Value[]): Promise<readonly Row[]> {
    return (await this.#query(statement, values, viewingParsers)).rows as Row[];
  }

  /** Rows as the server writes them, where making a value of every column would cost more than the statement. */
  async texts(statement: Statement, ...values: Value[]): Promise<readonly TextRow[]> {
    return (await this.#query(statement, values, asWritten)).rows as TextRow[];
  }

  /** Number of rows changed. */
  async run(statement: Statement, ...values: Value[]): Promise<number> {
    return (await this.#query(statement, values)).rowCount ?? 0;
  }

  /**
   * Runs statements that bind nothing, in one message; answers the rows of the last one.
   *
   * @param replyTimeoutMs - how long the answer may take, where the session has no bound of its own
   */
  async execute(sql: string, replyTimeoutMs?: number): Promise<readonly Row[]> {
    const bound = replyTimeoutMs === undefined ? {} : { query_timeout: replyTimeoutMs };
    try {
      const asked = this.#client.query({ text: sql, rowMode: "array", ...bound });
      const results = (await this.#counted(asked)) as unknown as
        | QueryArrayResult
        | readonly QueryArrayResult[];
      const last = Array.isArray(results) ? (results.at(-1) as QueryArrayResult) : results;
      return (last as QueryArrayResult).rows;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async learnBackend(): Promise<void> {
    const [row] = await this.execute("SELECT pg_backend_pid()");
    this.backend = row?.[0] as number;
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    await endConnection({ client: this.#client, socket: this.#socket });
  }

  async #query(
    { name, text }: Statement,
    values: Value[],
    types: ValueParsers = valueParsers,
  ): Promise<QueryArrayResult> {
    if (this.#isCancelled) throw cancelled();
    try {
      const named = name === null ? {} : { name };
      const asked: QueryArrayConfig = {
        ...named,
        text,
        values,
        types: types as CustomTypesConfig,
        rowMode: "array",
        binary: types !== asWritten,
        queryMode: "extended",
      };
      return await this.#counted(this.#client.query(asked));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #counted<Result>(asked: Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    try {
      return await asked;
    } finally {
      this.#underWay -= 1;
      this.#answers += 1;
    }
  }

  #fail(error: unknown): unknown {
    this.#isUsable = false;
    return translateEngineError(error, this.store);
  }
}

/** The refusal of statements of a caller that has left, or whose call has failed. */
export const cancelled = (): LamplightError =>
  new LamplightError("QUERY__OVER_BUDGET", { reason: "the caller is gone", cheaper: "stay" });

/**
 * A server that vanished ends no statement, and says nothing: without this, readers would wait for TCP's retries, a
 * quarter of an hour. Statements of a writer may take long, so they have no such timeout.
 */
const replyTimeoutOf = (role: SessionRole): { readonly query_timeout?: number } =>
  role.role === "reader" && role.statementTimeoutMs > 0
    ? { query_timeout: role.statementTimeoutMs + REPLY_GRACE_MS }
    : {};
