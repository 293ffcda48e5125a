import type {
  Commitment,
  OnlyRead,
  ViewSource,
  ReadView,
  Slot,
  UnfinalizedHead,
  UnfinalizedReader,
  UnfinalizedState,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { parsePostgresUrl, type PostgresLocation } from "../engine/location.ts";
import { SessionPool } from "../engine/session-pool.ts";
import { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { READ_STATEMENT_TIMEOUT_MS, SESSIONS_MAX, VIEW_WAIT_MS } from "../engine/settings.ts";
import { beginUnfinalizedSql, readUnfinalized, readUnfinalizedHead } from "../queries/read-unfinalized.ts";
import { assertOneDatabase } from "../schema/assert-one-database.ts";
import { assertSchemaIsCurrent } from "../schema/migrate.ts";
import { openViewOn, type PostgresReadView, type ViewSurroundings } from "./open-view.ts";
import { readOnlyView } from "./only-view.ts";
import { SharedKnowledge } from "./shared-knowledge.ts";

const stopBackend = statement("SELECT pg_cancel_backend($1::integer)");

export interface PostgresReaderOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`. */
  readonly url: string;
  /** Views that can be open at once; default `SESSIONS_MAX`. */
  readonly sessionsMax?: number;
  /** How long `openView` waits for one; default `VIEW_WAIT_MS`. */
  readonly viewWaitMs?: number;
  /** The longest statement of a view; default `READ_STATEMENT_TIMEOUT_MS`, 0 = as long as it takes. */
  readonly statementTimeoutMs?: number;
  /** Refuse a distributed store, unless its URL accepts mixed slots? Default yes. */
  readonly refuseMixedSlots?: boolean;
}

export interface PostgresReader extends ViewSource, UnfinalizedReader {
  openView(commitment: Commitment): Promise<PostgresReadView>;
  openView(commitment: Commitment, only?: OnlyRead): Promise<ReadView>;
  /** Closes idle sessions now, and the others with their views. */
  close(): void;
}

/**
 * Opens a store for reading, while any process may be writing it. Each view uses its own session, in a read-only
 * transaction of one snapshot: the last commit before its opening, regardless of the commitment.
 *
 * While the server cannot be reached, every `openView` throws. Afterwards the reader works again by itself.
 *
 * @throws LamplightError `STORE__URL`, `STORE__UNREACHABLE`, `STORE__MISSING`, `STORE__NOT_A_STORE`,
 * `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`, `STORE__MIXES_SLOTS`
 */
export const openPostgresReader = async (options: PostgresReaderOptions): Promise<PostgresReader> => {
  const reader = new PooledReader(parsePostgresUrl(options.url), options);
  // Opens the first session now, so that a bad address is reported at once.
  await reader.check();
  return reader;
};

class PooledReader implements PostgresReader {
  readonly #pool: SessionPool;
  /** For unfinalized slots. They must not wait behind requests, because requests may wait for them. */
  readonly #unfinalizedPool: SessionPool;
  /** For cancelling statements of the other sessions. */
  readonly #stopPool: SessionPool;
  readonly #surroundings: ViewSurroundings = {
    knowledge: new SharedKnowledge(),
    stop: (session) => void this.#stop(session),
  };

  /** What a new session accepts. During an upgrade a later version may add to the schema that this reader already reads. */
  #newestSchema: number | undefined;
  /** Whether one statement reads one state. In a distributed store, each database takes its own snapshot. */
  readonly #hasOneSnapshot: boolean;

  constructor(location: PostgresLocation, options: PostgresReaderOptions) {
    this.#hasOneSnapshot = !location.acceptsMixedSlots && options.refuseMixedSlots !== false;
    const open = async (): Promise<Session> => {
      const session = await openChecked(location, options, this.#newestSchema);
      this.#newestSchema = Infinity;
      return session;
    };
    const waitMs = options.viewWaitMs ?? VIEW_WAIT_MS;
    this.#pool = new SessionPool({ open, sessionsMax: options.sessionsMax ?? SESSIONS_MAX, waitMs });
    this.#unfinalizedPool = new SessionPool({ open, sessionsMax: 1, waitMs });
    this.#stopPool = new SessionPool({ open, sessionsMax: 1, waitMs });
  }

  async check(): Promise<void> {
    this.#pool.giveBack(await this.#pool.take());
  }

  openView(commitment: Commitment): Promise<PostgresReadView>;
  openView(commitment: Commitment, only?: OnlyRead): Promise<ReadView>;
  async openView(_commitment: Commitment, only?: OnlyRead): Promise<ReadView> {
    if (only !== undefined && this.#hasOneSnapshot) {
      const view = await onceMore(() => this.#readOnly(only));
      if (view !== null) return view;
    }
    return onceMore(() => this.#openOnce());
  }

  readUnfinalizedHead(): Promise<UnfinalizedHead> {
    return this.#lendUnfinalized(readUnfinalizedHead);
  }

  readUnfinalized(known: ReadonlyMap<Slot, number>): Promise<UnfinalizedState> {
    return this.#lendUnfinalized(async (session) => {
      await session.execute(beginUnfinalizedSql);
      const state = await readUnfinalized(session, known);
      await session.execute("COMMIT");
      return state;
    });
  }

  close(): void {
    this.#pool.close();
    this.#unfinalizedPool.close();
    this.#stopPool.close();
  }

  /** If this fails, the statement's own timeout ends it. */
  async #stop(session: Session): Promise<void> {
    try {
      const stopper = await this.#stopPool.take();
      try {
        await stopper.get(stopBackend, session.backend);
      } finally {
        this.#stopPool.giveBack(stopper);
      }
    } catch {
      // The server is gone, or too many statements must be cancelled.
    }
  }

  #lendUnfinalized<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return onceMore(() => lend(this.#unfinalizedPool, body));
  }

  #readOnly(only: OnlyRead): Promise<ReadView | null> {
    return lend(this.#pool, async (session) => {
      only.stop = () => {
        if (session.cancel()) this.#surroundings.stop(session);
      };
      try {
        return await readOnlyView(session, this.#surroundings.knowledge, only);
      } finally {
        only.stop = null;
        session.renew();
      }
    });
  }

  async #openOnce(): Promise<PostgresReadView> {
    const session = await this.#pool.take();
    const giveBack = (): void => this.#pool.giveBack(session);
    try {
      return await openViewOn(session, this.#surroundings, giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
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
  }: Pick<PostgresReaderOptions, "statementTimeoutMs" | "refuseMixedSlots">,
  newestSchema: number | undefined,
): Promise<Session> => {
  const session = await Session.open(location, { role: "reader", statementTimeoutMs });
  try {
    await Promise.all([
      assertSchemaIsCurrent(session, location.schema, newestSchema),
      session.learnBackend(),
    ]);
    if (refuseMixedSlots && !location.acceptsMixedSlots) await assertOneDatabase(session, location.schema);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
};
