import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { translateEngineError } from "./engine-errors.ts";
import type { PostgresLocation } from "./location.ts";
import { settingsSql } from "./session-settings.ts";
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS } from "./settings.ts";

// The format of COPY … (FORMAT binary): a header, rows, a count of fields that no row has.
const header = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const trailer = Buffer.from([0xff, 0xff]);

/**
 * A connection that takes rows in by COPY, the fastest way in, beside the session that holds the writer's lock: that
 * one sends statements without waiting, which COPY does not go together with.
 */
export class CopySession {
  readonly #client: Client;
  readonly #store: string;

  private constructor(client: Client, store: string) {
    this.#client = client;
    this.#store = store;
    // What fails while nothing is copied is told by the next copy.
    client.on("error", () => undefined);
  }

  /** @throws LamplightError of the STORE family */
  static async open(location: PostgresLocation): Promise<CopySession> {
    const client = new Client({
      connectionString: location.connectionString,
      application_name: "lamplight load",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    try {
      await client.connect();
      await client.query(settingsSql(location.schema, { role: "writer" }));
      return new CopySession(client, location.name);
    } catch (error) {
      throw translateEngineError(error, location.name);
    }
  }

  /**
   * Adds rows to a table, all or none of them.
   *
   * @param rows - encoded, in pieces of any size
   * @returns how many there were
   * @throws LamplightError of the STORE family
   */
  async copy(table: string, columns: readonly string[], rows: readonly Uint8Array[]): Promise<number> {
    const stream = this.#client.query(
      copyFrom(`COPY ${table} (${columns.join(", ")}) FROM STDIN (FORMAT binary)`),
    );
    try {
      await new Promise<void>((resolve, reject) => {
        stream.once("error", reject).once("finish", resolve);
        for (const piece of [header, ...rows, trailer]) stream.write(piece);
        stream.end();
      });
      return stream.rowCount;
    } catch (error) {
      throw translateEngineError(error, this.#store);
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
