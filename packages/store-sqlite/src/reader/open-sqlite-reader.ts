import { setImmediate } from "node:timers";
import type { Commitment, MaybePromise, ViewSource } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { OpenedFile } from "../engine/opened-file.ts";
import { FILE_CHECK_MS, READ_CONNECTIONS_MAX, VIEW_QUEUE_MAX, VIEW_WAIT_MS } from "../engine/settings.ts";
import { ImmutableFile } from "../engine/immutable-file.ts";
import { CachedItems } from "./cached-items.ts";
import { ReadConnection, type SqliteReadView } from "./read-connection.ts";

export interface SqliteReaderOptions {
  readonly file: string;
  /** Views that can be open at once; default `READ_CONNECTIONS_MAX`. */
  readonly connectionsMax?: number;
  /** Milliseconds for which `openView` waits for a connection; default `VIEW_WAIT_MS`. */
  readonly viewWaitMs?: number;
}

export interface SqliteReader extends ViewSource {
  openView(commitment: Commitment): MaybePromise<SqliteReadView>;
  /** Whether the file is read as immutable, because its folder is read-only. */
  readonly isImmutable: boolean;
  /** Closes idle connections now, and the others with their views. */
  close(): void;
}

/**
 * Opens a store file for reading, while any process may be writing it. Connections are made when needed and kept; the
 * one used last is used next, since its cache is warm.
 *
 * A view answers from the last commit before its opening: a finalized slot, regardless of the commitment. Views opened one after
 * another in the same turn of the event loop share a snapshot (unless this process wrote in between), since taking one
 * costs more than most reads: what another process commits just then shows in the next turn.
 *
 * ```ts
 * const reader = openSqliteReader({ file: "index.db" });
 * const view = await reader.openView("finalized");
 * try {
 *   console.log(view.slot, await view.read(reads.account(address)));
 * } finally {
 *   view.close();
 * }
 * ```
 *
 * In a folder where nothing can be written the file is read as it stands, and again from scratch once it was written
 * from elsewhere.
 *
 * A file that is replaced or deleted is not answered from any more: `openView` throws `STORE__REPLACED`, from the first
 * connection that would open the other file, at the latest after `FILE_CHECK_MS`. One that is overwritten in place is
 * noticed after twice that.
 *
 * @throws LamplightError `STORE__LOG_LEFT` in such a folder where a log lies next to the file; `STORE__MISSING`, `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, `STORE__CORRUPT`
 */
export const openSqliteReader = (options: SqliteReaderOptions): SqliteReader => new ReaderPool(options);

interface Waiting {
  readonly serve: (connection: ReadConnection) => void;
  readonly refuse: (error: LamplightError) => void;
}

class ReaderPool implements SqliteReader {
  readonly #file: string;
  readonly #connectionsMax: number;
  readonly #viewWaitMs: number;
  readonly #idle: ReadConnection[] = [];
  readonly #waiting = new Set<Waiting>();
  readonly #openedFile: OpenedFile;
  readonly #fileCheck: NodeJS.Timeout;
  /**
   * The newest schema version that a new connection accepts. During an upgrade a later version may add to the schema
   * that this reader already reads.
   */
  #newestSchema: number | undefined;
  #isReplaced = false;
  #openConnections = 0;
  #closed = false;
  #turn = 0;
  #turnWillEnd = false;
  #immutable: ImmutableFile | null = null;
  #items = new CachedItems();

  constructor(options: SqliteReaderOptions) {
    this.#file = options.file;
    this.#connectionsMax = options.connectionsMax ?? READ_CONNECTIONS_MAX;
    this.#viewWaitMs = options.viewWaitMs ?? VIEW_WAIT_MS;
    this.#openedFile = new OpenedFile(this.#file);
    // Opens the first connection now, so that a bad file is reported at once.
    this.#idle.push(this.#connect());
    this.#fileCheck = setInterval(() => this.#checkFile(), FILE_CHECK_MS).unref();
  }

  openView(_commitment: Commitment): MaybePromise<SqliteReadView> {
    if (this.#closed) throw this.#busy();
    if (this.#isReplaced) throw this.#openedFile.replaced();
    const idle = this.#idle.pop();
    if (idle !== undefined) return this.#viewOn(idle);
    if (this.#openConnections < this.#connectionsMax) return this.#viewOn(this.#connect());
    return this.#waitForView();
  }

  get isImmutable(): boolean {
    return this.#immutable !== null;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#fileCheck);
    this.#refuseWaiting(this.#busy());
    for (const connection of this.#idle.splice(0)) this.#disconnect(connection);
  }

  #connect(): ReadConnection {
    // This check comes first, since opening another file would take the old one's log for its own.
    this.#openedFile.assertThere();
    const connection = this.#tryConnect();
    if (!this.#openedFile.isThere) {
      connection.close();
      throw this.#openedFile.replaced();
    }
    this.#openConnections += 1;
    this.#newestSchema = Infinity;
    return connection;
  }

  #checkFile(): void {
    this.#openedFile.check();
    this.#isReplaced = !this.#openedFile.isThere;
    if (this.#isReplaced) this.#refuseWaiting(this.#openedFile.replaced());
  }

  #refuseWaiting(error: LamplightError): void {
    for (const waiting of this.#waiting) waiting.refuse(error);
  }

  #tryConnect(): ReadConnection {
    try {
      return new ReadConnection(this.#file, this.#immutable, this.#items, this.#newestSchema);
    } catch (error) {
      if (this.#immutable !== null) throw error;
      const immutable = ImmutableFile.insteadOf(this.#file, error);
      const connection = new ReadConnection(this.#file, immutable, this.#items, this.#newestSchema);
      this.#immutable = immutable;
      return connection;
    }
  }

  #disconnect(connection: ReadConnection): void {
    connection.close();
    this.#openConnections -= 1;
  }

  #viewOn(lent: ReadConnection): SqliteReadView {
    if (this.#immutable?.isUntouched() === false) {
      this.#immutable = null;
      this.#items = new CachedItems();
    }
    const connection = lent.immutable === this.#immutable ? lent : this.#replace(lent);
    try {
      const view = connection.openView(this.#turn, () => this.#giveBack(connection));
      this.#endTurnLater();
      return view;
    } catch (error) {
      this.#giveBack(connection);
      throw error;
    }
  }

  #replace(connection: ReadConnection): ReadConnection {
    this.#disconnect(connection);
    return this.#connect();
  }

  #giveBack(connection: ReadConnection): void {
    try {
      if (!connection.hasSnapshotOf(this.#turn)) connection.release();
    } finally {
      this.#handOver(connection);
    }
  }

  #handOver(connection: ReadConnection): void {
    const next = this.#waiting.values().next().value;
    if (next !== undefined) next.serve(connection);
    else if (this.#closed) this.#disconnect(connection);
    else this.#idle.push(connection);
  }

  #endTurnLater(): void {
    if (this.#turnWillEnd) return;
    this.#turnWillEnd = true;
    setImmediate(() => {
      this.#turnWillEnd = false;
      this.#turn += 1;
      for (const connection of this.#idle.splice(0)) this.#keepIdle(connection);
    });
  }

  /** A connection that cannot end its snapshot is closed. */
  #keepIdle(connection: ReadConnection): void {
    try {
      connection.release();
      this.#idle.push(connection);
    } catch {
      this.#disconnect(connection);
    }
  }

  #waitForView(): Promise<SqliteReadView> {
    if (this.#waiting.size >= VIEW_QUEUE_MAX) throw this.#busy();
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => waiting.refuse(this.#busy()), this.#viewWaitMs);
      const leave = (): void => {
        clearTimeout(deadline);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        serve: (connection) => {
          leave();
          try {
            resolve(this.#viewOn(connection));
          } catch (error) {
            reject(error as Error);
          }
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  #busy(): LamplightError {
    return new LamplightError("STORE__BUSY", { limit: this.#connectionsMax });
  }
}
