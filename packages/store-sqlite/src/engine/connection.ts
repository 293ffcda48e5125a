import { resolve } from "node:path";
import {
  backup,
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";
import { isLamplightError } from "@lamplight/errors";
import { translateEngineError } from "./engine-errors.ts";
import type { ImmutableFile } from "./immutable-file.ts";
import { assertRegularFile } from "./store-path.ts";

/** One row, columns in the order of the statement; every integer is a `bigint` (but see `prepareSmall`). */
export type Row = readonly SQLOutputValue[];

/** Node 22 binds an empty blob that it has read as NULL, since its memory has no address. Node 24 binds a blob. */
const bindsEmptyAsNull = ((): boolean => {
  const database = new DatabaseSync(":memory:");
  const read = database.prepare("SELECT x'' AS blob").get()?.["blob"] as Uint8Array;
  const row = database.prepare("SELECT typeof(?) AS type").get(read);
  database.close();
  return row?.["type"] === "null";
})();

const emptyBlob = new Uint8Array(1).subarray(0, 0);

/** Converts values for the engine, so that an empty blob stays a blob on every supported Node. */
const bound = (values: SQLInputValue[]): SQLInputValue[] =>
  bindsEmptyAsNull
    ? values.map((value) => (value instanceof Uint8Array && value.length === 0 ? emptyBlob : value))
    : values;

/** A prepared statement that returns rows as arrays and throws errors of the registry. */
export class Statement {
  readonly #statement: StatementSync;
  readonly #file: string;

  constructor(statement: StatementSync, file: string, integers: "bigint" | "number") {
    // Without big integers the engine's binding throws on values above 2^53; arrays save naming every column of a row.
    statement.setReadBigInts(integers === "bigint");
    statement.setReturnArrays(true);
    this.#statement = statement;
    this.#file = file;
  }

  get(...values: SQLInputValue[]): Row | undefined {
    try {
      return this.#statement.get(...bound(values)) as unknown as Row | undefined;
    } catch (error) {
      throw translateEngineError(error, this.#file);
    }
  }

  all(...values: SQLInputValue[]): readonly Row[] {
    try {
      return this.#statement.all(...bound(values)) as unknown as Row[];
    } catch (error) {
      throw translateEngineError(error, this.#file);
    }
  }

  *iterate(...values: SQLInputValue[]): Generator<Row, void, undefined> {
    try {
      yield* this.#statement.iterate(...bound(values)) as unknown as Iterable<Row>;
    } catch (error) {
      throw translateEngineError(error, this.#file);
    }
  }

  /** Number of rows changed. */
  run(...values: SQLInputValue[]): number {
    try {
      return Number(this.#statement.run(...bound(values)).changes);
    } catch (error) {
      throw translateEngineError(error, this.#file);
    }
  }
}

let writesHere = 0;

/** Number of write transactions of this process, for any file: data read before the last one may be outdated. */
export const countWritesHere = (): number => writesHere;

/** One connection to one store file. */
export class Connection {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #begin: Statement;
  readonly #beginWrite: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;

  /** @throws LamplightError of the STORE family */
  constructor(
    file: string,
    options: {
      readonly readOnly: boolean;
      readonly busyMs: number;
      /** Opened as a file that does not change. */
      readonly immutable?: ImmutableFile | null;
    },
  ) {
    this.file = file;
    assertRegularFile(file);
    try {
      // An absolute path, because the engine treats a path that starts like a URI as one.
      this.#database = new DatabaseSync(options.immutable?.url ?? resolve(file), {
        readOnly: options.readOnly,
        timeout: options.busyMs,
        enableForeignKeyConstraints: false,
      });
    } catch (error) {
      throw translateEngineError(error, file);
    }
    this.#begin = this.prepare("BEGIN");
    this.#beginWrite = this.prepare("BEGIN IMMEDIATE");
    this.#commit = this.prepare("COMMIT");
    this.#rollback = this.prepare("ROLLBACK");
  }

  prepare(sql: string): Statement {
    return this.#prepare(sql, "bigint");
  }

  /** Prepares reads of integers that stay below 2^53: they are returned as plain numbers, which is faster in bulk. */
  prepareSmall(sql: string): Statement {
    return this.#prepare(sql, "number");
  }

  /** Runs statements without parameters and results. */
  execute(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw translateEngineError(error, this.file);
    }
  }

  /** Makes a pure function of one text available to statements of this connection. */
  defineFunction(name: string, body: (text: string) => string): void {
    this.#database.function(name, { deterministic: true }, (text) => body(String(text)));
  }

  /** The single number that a pragma or a count returns. */
  readNumber(sql: string): number {
    return Number(this.prepare(sql).get()?.[0]);
  }

  /** Starts a read transaction. Its snapshot is taken by the first read. */
  beginRead(): void {
    // `get`, because `run` creates an object of counts that is not needed.
    this.#begin.get();
  }

  /** Ends the read transaction, also after a failed read: after a damaged page, the engine refuses the commit. */
  endRead(): void {
    try {
      this.#commit.get();
    } catch (error) {
      if (!isLamplightError(error, "STORE__CORRUPT")) throw error;
      if (this.#database.isTransaction) this.#rollback.run();
    }
  }

  /** Runs `body` on one snapshot. */
  read<Result>(body: () => Result): Result {
    this.beginRead();
    try {
      return body();
    } finally {
      this.endRead();
    }
  }

  /** Runs `body` in one write transaction, which is committed or rolled back as a whole. */
  write<Result>(body: () => Result): Result {
    this.#beginWrite.run();
    try {
      const result = body();
      this.#commit.run();
      writesHere += 1;
      return result;
    } catch (error) {
      // A full disk or a damaged page may already have ended the transaction.
      if (this.#database.isTransaction) this.#rollback.run();
      throw error;
    }
  }

  /** The same for a long transaction that lets other work of the process run. Nothing else may use this connection. */
  async writeSlowly<Result>(body: () => Promise<Result>): Promise<Result> {
    this.#beginWrite.run();
    try {
      const result = await body();
      this.#commit.run();
      writesHere += 1;
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#rollback.run();
      throw error;
    }
  }

  /**
   * Writes the database, as this connection sees it, into another file.
   *
   * @param onProgress - called with the share done after so many pages; an error that it throws ends the copy
   */
  async backup(file: string, stepPages: number, onProgress: (share: number) => void): Promise<void> {
    try {
      await backup(this.#database, file, {
        rate: stepPages,
        progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages),
      });
    } catch (error) {
      throw translateEngineError(error, this.file);
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string, integers: "bigint" | "number"): Statement {
    try {
      return new Statement(this.#database.prepare(sql), this.file, integers);
    } catch (error) {
      throw translateEngineError(error, this.file);
    }
  }
}
