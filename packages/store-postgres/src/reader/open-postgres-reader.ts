import {
  type AddressBytes,
  type Commitment,
  NewestAnswered,
  type Opening,
  type ReadView,
  type Slot,
  type UnfinalizedHead,
  type UnfinalizedState,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { parsePostgresUrl, type PostgresLocation } from "../engine/location.ts";
import { SessionPool } from "../engine/session-pool.ts";
import { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { READ_STATEMENT_TIMEOUT_MS, SESSIONS_MAX, VIEW_WAIT_MS } from "../engine/settings.ts";
import { readAccountStates } from "../queries/read-account-states.ts";
import { readUnfinalized, readUnfinalizedHead } from "../queries/read-unfinalized.ts";
import { assertOneDatabase } from "../schema/assert-one-database.ts";
import { assertOnOneNode } from "../schema/placed-schema.ts";
import { assertSchemaIsCurrent } from "../schema/migrate.ts";
import type { PostgresReader, ServerReader, ServerReport } from "./postgres-reader.ts";
import { PostgresView, type ReaderParts, type TransactionView } from "./postgres-view.ts";
import { ServersReader } from "./servers-reader.ts";
import { SharedCaches } from "./shared-caches.ts";

const stopBackend = statement("SELECT pg_cancel_backend($1::integer)");

export interface PostgresReaderOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?schema=NAME`. */
  readonly url: string;
  /** Views that can be open at once; default `SESSIONS_MAX`. */
  readonly sessionsMax?: number;
  /** Sessions that are kept while no view uses them; default `sessionsMax`. */
  readonly idleMax?: number;
  /** Milliseconds for which `openView` waits for a session; default `VIEW_WAIT_MS`. */
  readonly viewWaitMs?: number;
  /** The longest statement of a view; default `READ_STATEMENT_TIMEOUT_MS`, 0 = as long as it takes. */
  readonly statementTimeoutMs?: number;
  /** Refuse a distributed store? Default yes. */
  readonly refuseMixedSlots?: boolean;
  /** Whether it is one shard of a store: Citus may place it, on one node. Default no. */
  readonly isShard?: boolean;
  /** With several servers, no view is older than this; default: than the views of this reader before. */
  readonly answered?: NewestAnswered | undefined;
  /** Called with `HOST:PORT` when another one of several servers is read. */
  readonly onServer?: ((server: string) => void) | undefined;
}

/**
 * Opens a store for reading, while any process may be writing it. A view is of the last commit before its opening,
 * regardless of the commitment: it holds a session, in a read-only transaction of one snapshot. Where it is opened with
 * reads that one statement answers, it holds none between its rounds, and each shows that nothing was committed since.
 *
 * While the server cannot be reached, every `openView` throws. Afterwards the reader works again by itself.
 *
 * @throws LamplightError `STORE__URL`, `STORE__UNREACHABLE`, `STORE__MISSING`, `STORE__NOT_A_STORE`,
 * `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, `STORE__MIXES_SLOTS`
 */
export const openPostgresReader = async (options: PostgresReaderOptions): Promise<PostgresReader> => {
  const location = parsePostgresUrl(options.url);
  // Opens the first session now, so that a bad address is reported at once.
  if (location.choice === null) return openServer(location, options);
  const reader = new ServersReader({
    store: location.name,
    choice: location.choice,
    openServer: (server) => openServer(server.location, options),
    answered: options.answered ?? new NewestAnswered(),
    onServer: options.onServer,
  });
  try {
    await reader.check();
    return reader;
  } catch (error) {
    reader.close();
    throw error;
  }
};

const openServer = async (
  location: PostgresLocation,
  options: PostgresReaderOptions,
): Promise<ServerReader> => {
  const reader = new PooledReader(location, options);
  try {
    await reader.check();
    return reader;
  } catch (error) {
    reader.close();
    throw error;
  }
};

class PooledReader implements ServerReader {
  readonly #pool: SessionPool;
  /** Sessions that read unfinalized slots. They must not wait behind requests, because requests may wait for them. */
  readonly #unfinalizedPool: SessionPool;
  /** Sessions that cancel statements of the other sessions. */
  readonly #stopPool: SessionPool;
  readonly #parts: ReaderParts;
  /**
   * The newest schema version that a new session accepts. During an upgrade a later version may add to the schema that
   * this reader already reads.
   */
  #newestSchema: number | undefined;

  constructor(location: PostgresLocation, options: PostgresReaderOptions) {
    const open = async (): Promise<Session> => {
      const session = await openChecked(location, options, this.#newestSchema);
      this.#newestSchema = Infinity;
      return session;
    };
    const waitMs = options.viewWaitMs ?? VIEW_WAIT_MS;
    const sessionsMax = options.sessionsMax ?? SESSIONS_MAX;
    this.#pool = new SessionPool({ open, sessionsMax, idleMax: options.idleMax ?? sessionsMax, waitMs });
    this.#unfinalizedPool = new SessionPool({ open, sessionsMax: 1, waitMs });
    this.#stopPool = new SessionPool({ open, sessionsMax: 1, waitMs });
    this.#parts = {
      pool: this.#pool,
      caches: new SharedCaches(),
      stop: (session) => void this.#cancelOn(session),
      isOneDatabase: options.refuseMixedSlots !== false,
    };
  }

  async check(): Promise<void> {
    this.#pool.giveBack(await this.#pool.take());
  }

  openView(commitment: Commitment): Promise<TransactionView>;
  openView(commitment: Commitment, opening?: Opening): Promise<ReadView>;
  async openView(_commitment: Commitment, opening?: Opening): Promise<ReadView> {
    if (opening !== undefined && this.#parts.isOneDatabase) {
      const view = await onceMore(() => PostgresView.openByReading(this.#parts, opening));
      if (view !== null) return view;
    }
    return onceMore(() => PostgresView.openTransaction(this.#parts));
  }

  readUnfinalizedHead(): Promise<UnfinalizedHead> {
    return this.#lendUnfinalized(readUnfinalizedHead);
  }

  readUnfinalized(known: ReadonlyMap<Slot, number>): Promise<UnfinalizedState> {
    return this.readBesideViews((session) => readUnfinalized(session, known));
  }

  readFinalizedData(address: AddressBytes): Promise<Uint8Array | null> {
    return this.readBesideViews(async (session) => {
      const [state] = await readAccountStates(session, new ProgramDictionary(), [address]);
      return state?.current.data ?? null;
    });
  }

  readBesideViews<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#lendUnfinalized(async (session) => {
      await session.begin("");
      return body(session).finally(() => session.end());
    });
  }

  servers(): readonly ServerReport[] {
    return [];
  }

  abandon(): void {
    this.#pool.abandon();
    this.#unfinalizedPool.abandon();
    this.#stopPool.abandon();
  }

  close(): void {
    this.#pool.close();
    this.#unfinalizedPool.close();
    this.#stopPool.close();
  }

  /** If this fails, the statement's own timeout ends it. */
  async #cancelOn({ backend }: Session): Promise<void> {
    if (backend === null) return;
    try {
      await lend(this.#stopPool, (stopper) => stopper.get(stopBackend, backend));
    } catch {
      // The server is gone, or too many statements must be cancelled.
    }
  }

  #lendUnfinalized<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return onceMore(() => lend(this.#unfinalizedPool, body));
  }
}

/** An idle session may be of a server that was restarted since, so one more is tried. */
const onceMore = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  try {
    return await attempt();
  } catch (error) {
    if (!isLamplightError(error, "STORE__UNREACHABLE")) throw error;
    return attempt();
  }
};

const lend = async <Result>(
  pool: SessionPool,
  body: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const session = await pool.take();
  try {
    return await body(session);
  } finally {
    pool.giveBack(session);
  }
};

/** The schema may have changed by the time a session is opened again. */
const openChecked = async (
  location: PostgresLocation,
  {
    statementTimeoutMs = READ_STATEMENT_TIMEOUT_MS,
    refuseMixedSlots = true,
    isShard = false,
  }: Pick<PostgresReaderOptions, "statementTimeoutMs" | "refuseMixedSlots" | "isShard">,
  newestSchema: number | undefined,
): Promise<Session> => {
  const session = await Session.open(location, { role: "reader", statementTimeoutMs });
  try {
    await assertSchemaIsCurrent(session, location.schema, newestSchema);
    if (isShard) await assertOnOneNode(session, location.schema);
    else if (refuseMixedSlots) await assertOneDatabase(session, location.schema);
    session.isReady = true;
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
};
