import { Client, type ClientConfig, type QueryArrayResult } from "pg";
import type { PostgresLocation } from "./location.ts";
import { translateEngineError } from "./engine-errors.ts";
import { CONNECT_TIMEOUT_MS, VIEW_IDLE_TIMEOUT_MS } from "./settings.ts";
import type { Statement } from "./statement.ts";
import { valueParsers } from "./value-parsers.ts";

/** One row, columns in the order of the statement. */
export type Row = readonly unknown[];
export type Value = Uint8Array | string | number | bigint | boolean | null;

/** What a session is for. Readers can only read. */
export type SessionRole =
  | { readonly role: "writer" }
  | { readonly role: "reader"; readonly statementTimeoutMs: number };

/** One connection to the server. Statements are sent without waiting for the answers of those before. */
export class Session {
  readonly store: string;
  readonly #client: Client;
  #isUsable = true;

  private constructor(client: Client, store: string) {
    this.store = store;
    this.#client = client;
    // A connection that ends while nobody asks it anything is no event for anyone; the next use tells.
    client.on("error", () => {
      this.#isUsable = false;
    });
    client.on("end", () => {
      this.#isUsable = false;
    });
  }

  /** @throws LamplightError of the STORE family */
  static async open(location: PostgresLocation, role: SessionRole): Promise<Session> {
    const client = new Client({
      connectionString: location.connectionString,
      options: optionsOf(location.schema, role),
      application_name: `lamplight ${role.role}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      pipeline: true,
      types: valueParsers,
    } as ClientConfig);
    const session = new Session(client, location.name);
    try {
      await client.connect();
      return session;
    } catch (error) {
      throw translateEngineError(error, location.name);
    }
  }

  /**
   * False once anything failed: the connection may be gone, and where it is not, the driver and the server may
   * disagree on which statements are prepared.
   */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  async all(statement: Statement, ...values: Value[]): Promise<readonly Row[]> {
    return (await this.#query(statement, values)).rows as Row[];
  }

  async get(statement: Statement, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all(statement, ...values))[0];
  }

  /** Number of rows changed. */
  async run(statement: Statement, ...values: Value[]): Promise<number> {
    return (await this.#query(statement, values)).rowCount ?? 0;
  }

  /** Runs statements that bind nothing, in one message; answers the rows of the last one. */
  async execute(sql: string): Promise<readonly Row[]> {
    try {
      const results = (await this.#client.query({ text: sql, rowMode: "array" })) as unknown as
        | QueryArrayResult
        | readonly QueryArrayResult[];
      const last = Array.isArray(results) ? (results.at(-1) as QueryArrayResult) : results;
      return (last as QueryArrayResult).rows;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    await this.#client.end();
  }

  async #query({ name, text }: Statement, values: Value[]): Promise<QueryArrayResult> {
    try {
      return await this.#client.query({ ...(name === null ? {} : { name }), text, values, rowMode: "array" });
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(error: unknown): unknown {
    this.#isUsable = false;
    return translateEngineError(error, this.store);
  }
}

const optionsOf = (schema: string, role: SessionRole): string => {
  const common = [`search_path=${schema}`, "jit=off", "client_min_messages=warning"];
  const own =
    role.role === "writer"
      ? []
      : [
          "default_transaction_read_only=on",
          `statement_timeout=${role.statementTimeoutMs}`,
          `idle_in_transaction_session_timeout=${VIEW_IDLE_TIMEOUT_MS}`,
        ];
  return [...common, ...own].map((setting) => `-c ${setting}`).join(" ");
};
