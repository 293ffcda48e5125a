import { LamplightError } from "@lamplight/errors";
import { arrayParameter } from "../engine/array-parameter.ts";
import { inTransaction } from "../engine/in-transaction.ts";
import { parsePostgresUrl, type PostgresLocation } from "../engine/location.ts";
import { openSession } from "../engine/open-session.ts";
import type { Row, Session } from "../engine/session.ts";
import { BULK_ROWS_MAX, READ_STATEMENT_TIMEOUT_MS } from "../engine/settings.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { hiddenSchemaError, isVisibleSql } from "../schema/visible-schema.ts";

/** Calls of one key, of one method, in one hour. */
export interface KeyUse {
  /** Hours since 1970 in UTC. */
  readonly hour: number;
  readonly key: string;
  readonly method: string;
  readonly requests: number;
  readonly units: number;
}

/** The records of all keys, each as JSON text. */
export interface KeyTexts {
  /** Grows by one with each change. */
  readonly version: number;
  readonly records: readonly string[];
}

/** Keys are no part of a store: a store that is loaded again, into another schema, keeps them. */
const keySchema = "lamplight_keys";

const HOURS_OF_DAY = 24;
const HOUR_MS = 3_600_000;

/** Also where another command makes them at the same time. */
const schemaSql = `
SELECT pg_advisory_xact_lock(hashtext('${keySchema}'));
CREATE SCHEMA IF NOT EXISTS "${keySchema}";
CREATE TABLE IF NOT EXISTS key_version (id smallint PRIMARY KEY, version bigint NOT NULL);
INSERT INTO key_version VALUES (1, 0) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS api_key (position integer PRIMARY KEY, record text NOT NULL);
CREATE TABLE IF NOT EXISTS key_audit (at timestamptz NOT NULL DEFAULT now(), line text NOT NULL);
CREATE TABLE IF NOT EXISTS key_use (
  hour bigint NOT NULL, key text NOT NULL, method text NOT NULL,
  requests bigint NOT NULL, units bigint NOT NULL,
  PRIMARY KEY (hour, key, method)
);
CREATE TABLE IF NOT EXISTS key_day (
  day bigint NOT NULL, key text NOT NULL,
  requests bigint NOT NULL, units bigint NOT NULL,
  PRIMARY KEY (day, key)
);`;

const readVersion = statement("SELECT version FROM key_version WHERE id = 1");
/** One statement, which reads one state. The record is null where there is none. */
const readAll = statement(
  "SELECT version, record FROM key_version LEFT JOIN api_key ON true WHERE id = 1 ORDER BY position",
);
const listRecords = statement("SELECT record FROM api_key ORDER BY position");
/** Holds the row until the end of the transaction, so that changes come one after the other. */
const raiseVersion = statement("UPDATE key_version SET version = version + 1 WHERE id = 1 RETURNING version");
const putRecords = statement(`INSERT INTO api_key
SELECT * FROM unnest($1::integer[], $2::text[]) ON CONFLICT (position) DO UPDATE SET record = excluded.record`);
const dropRecords = statement("DELETE FROM api_key WHERE position >= $1");
const putAudit = statement("INSERT INTO key_audit (line) VALUES ($1)");
const more = (table: string): string =>
  `DO UPDATE SET requests = ${table}.requests + excluded.requests, units = ${table}.units + excluded.units`;
const addUse = statement(`INSERT INTO key_use
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
ON CONFLICT (hour, key, method) ${more("key_use")}`);
const addDays = statement(`INSERT INTO key_day
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])
ON CONFLICT (day, key) ${more("key_day")}`);
const listDay = statement("SELECT key, requests, units FROM key_day WHERE day = $1");
const listUse = statement(`SELECT hour, key, method, requests, units FROM key_use
WHERE hour >= $1 AND hour < $2 ORDER BY hour, key, method`);
const dropUse = statement(`DELETE FROM key_use WHERE (hour, key, method) IN
(SELECT hour, key, method FROM key_use WHERE hour < $1 ORDER BY hour LIMIT ${BULK_ROWS_MAX})`);
const readHour = statement("SELECT floor(extract(epoch FROM now()) / 3600)::bigint");
const dropDays = statement("DELETE FROM key_day WHERE day < $1");

/** Roles of API nodes may only read, unless a transaction asks for more. What they may then write, GRANT decides. */
const beginWrite = "BEGIN READ WRITE";

/** API keys and their calls in tables of a database, over one session that is opened again where it was lost. */
export class PostgresKeyTables {
  readonly #location: PostgresLocation;
  readonly #statementTimeoutMs: number;
  #session: Promise<Session> | null = null;

  /**
   * @param statementTimeoutMs - of each statement: servers wait for these tables when they start, and stop
   * @throws LamplightError `STORE__URL`
   */
  constructor(url: string, statementTimeoutMs = READ_STATEMENT_TIMEOUT_MS) {
    this.#statementTimeoutMs = statementTimeoutMs;
    this.#location = inKeySchema(parsePostgresUrl(url));
  }

  /**
   * All records; null where the version is still `known`.
   *
   * @throws LamplightError of the STORE family; `STORE__MISSING` where no key was made yet
   */
  async read(known: number | null): Promise<KeyTexts | null> {
    const session = await this.#open();
    try {
      if (known !== null && Number((await session.get(readVersion))![0]) === known) return null;
      const rows = await session.all(readAll);
      const records = rows.flatMap(([, record]) => (record === null ? [] : [record as string]));
      return { version: Number(rows[0]![0]), records };
    } catch (error) {
      // No table has this name.
      if ((error as { code?: string }).code !== "42P01") throw error;
      const [row] = await session.execute(`SELECT ${isVisibleSql(keySchema)}`);
      if (row?.[0] === false) throw hiddenSchemaError(session, keySchema);
      throw new LamplightError(
        "STORE__MISSING",
        { store: session.store, creator: "lamplight keys create" },
        { cause: error },
      );
    }
  }

  /**
   * Changes the records, and writes a line of the audit, in one transaction.
   *
   * @param edit - gets all records, and returns those after the change; what it throws changes nothing
   */
  async change(
    edit: (records: readonly string[]) => { readonly records: readonly string[]; readonly audit: string },
  ): Promise<void> {
    const session = await this.#open();
    await inTransaction(session, async () => void (await session.execute(schemaSql)), beginWrite);
    await inTransaction(
      session,
      async () => {
        await session.get(raiseVersion);
        const before = textsOf(await session.all(listRecords));
        const { records, audit } = edit(before);
        const changed = records.flatMap((record, at) => (record === before[at] ? [] : [at]));
        await session.run(
          putRecords,
          arrayParameter("integer", changed),
          arrayParameter(
            "text",
            changed.map((at) => records[at]!),
          ),
        );
        await session.run(dropRecords, records.length);
        await session.run(putAudit, audit);
      },
      beginWrite,
    );
  }

  /** Adds to what is there, all rows or none. Nodes that add at the same time add in one order, so that none waits for another in turn. */
  async addUse(rows: readonly KeyUse[]): Promise<void> {
    const session = await this.#open();
    const sorted = rows.toSorted(
      (a, b) => a.hour - b.hour || compare(a.key, b.key) || compare(a.method, b.method),
    );
    const days = daysOf(sorted);
    await inTransaction(
      session,
      async () => {
        for (const some of partsOf(sorted))
          await session.run(
            addUse,
            numbers(some, "hour"),
            texts(some, "key"),
            texts(some, "method"),
            numbers(some, "requests"),
            numbers(some, "units"),
          );
        for (const some of partsOf(days))
          await session.run(
            addDays,
            numbers(some, "hour"),
            texts(some, "key"),
            numbers(some, "requests"),
            numbers(some, "units"),
          );
      },
      beginWrite,
    );
  }

  /** Key, calls and units of one day, of all nodes. */
  async listDay(day: number): Promise<readonly (readonly [key: string, requests: number, units: number])[]> {
    const rows = await (await this.#open()).all(listDay, day);
    return rows.map(([key, requests, units]) => [key as string, Number(requests), Number(units)]);
  }

  /** Rows from one hour to another, the last not included. */
  async listUse(fromHour: number, toHour: number): Promise<readonly KeyUse[]> {
    const rows = await (await this.#open()).all(listUse, fromHour, toHour);
    return rows.map(([hour, key, method, requests, units]) => ({
      hour: Number(hour),
      key: key as string,
      method: method as string,
      requests: Number(requests),
      units: Number(units),
    }));
  }

  /** Forgets the rows before an hour of the server's clock: that of one node may be ahead, and all nodes share the rows. */
  async prune(beforeHour: number): Promise<void> {
    const session = await this.#open();
    const [serverHour] = (await session.get(readHour))!;
    const aheadHours = Math.max(0, Math.floor(Date.now() / HOUR_MS) - Number(serverHour));
    const before = beforeHour - aheadHours;
    const drop = async (what: Statement, limit: number): Promise<number> => {
      let rows = 0;
      await inTransaction(session, async () => void (rows = await session.run(what, limit)), beginWrite);
      return rows;
    };
    while ((await drop(dropUse, before)) === BULK_ROWS_MAX);
    await drop(dropDays, Math.floor(before / HOURS_OF_DAY));
  }

  /** Ends a statement under way without its answer: the server may be gone. */
  async close(): Promise<void> {
    const session = await this.#session?.catch(() => null);
    this.#session = null;
    if (session?.isAtWork === true) session.abandon();
    else await session?.close();
  }

  /** Callers that come at the same time get the same session. */
  #open(): Promise<Session> {
    this.#session = this.#usable(this.#session);
    return this.#session;
  }

  async #usable(before: Promise<Session> | null): Promise<Session> {
    const open = await before?.catch(() => null);
    if (open?.isUsable === true) return open;
    // A failed statement leaves the connection open.
    void open?.close().catch(() => undefined);
    return openSession(this.#location, { role: "writer", statementTimeoutMs: this.#statementTimeoutMs });
  }
}

/** The schema of a URL is that of a store. */
const inKeySchema = (location: PostgresLocation): PostgresLocation => ({
  ...location,
  schema: keySchema,
  choice:
    location.choice === null
      ? null
      : { ...location.choice, servers: location.choice.servers.map(inKeySchema) },
});

const textsOf = (rows: readonly Row[]): readonly string[] => rows.map(([record]) => record as string);

/** So few that each statement ends long before its timeout. */
const partsOf = (rows: readonly KeyUse[]): readonly (readonly KeyUse[])[] =>
  Array.from({ length: Math.ceil(rows.length / BULK_ROWS_MAX) }, (_, part) =>
    rows.slice(part * BULK_ROWS_MAX, (part + 1) * BULK_ROWS_MAX),
  );

const numbers = (rows: readonly KeyUse[], member: "hour" | "requests" | "units"): Buffer =>
  arrayParameter(
    "bigint",
    rows.map((row) => row[member]),
  );

const texts = (rows: readonly KeyUse[], member: "key" | "method"): Buffer =>
  arrayParameter(
    "text",
    rows.map((row) => row[member]),
  );

/** The sums of each day; `hour` is then the day. */
const daysOf = (rows: readonly KeyUse[]): readonly KeyUse[] => {
  const days = new Map<string, KeyUse>();
  for (const { hour, key, requests, units } of rows) {
    const day = Math.floor(hour / HOURS_OF_DAY);
    const found = days.get(`${day} ${key}`) ?? { hour: day, key, method: "", requests: 0, units: 0 };
    days.set(`${day} ${key}`, {
      ...found,
      requests: found.requests + requests,
      units: found.units + units,
    });
  }
  return [...days.values()].toSorted((a, b) => a.hour - b.hour || compare(a.key, b.key));
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
