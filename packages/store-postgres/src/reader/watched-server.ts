import { isLamplightError, LamplightError } from "@lamplight/errors";
import { type ServerRole, serverRoleColumns, serverRoleOf } from "../engine/choose-server.ts";
import type { PostgresLocation } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { SERVER_SILENCE_MS } from "../engine/settings.ts";

/** Role and newest slot of a server, as it reported them last. */
export interface ServerState extends ServerRole {
  /** Null before the first slot, and where there is no store. */
  readonly slot: number | null;
}

// SQLSTATE of a statement that names a table or a schema that does not exist.
const noSuchTable = ["42P01", "3F000"];

/** One of several servers, which is polled over a session of its own. */
export class WatchedServer {
  readonly location: PostgresLocation;
  /** Null while it cannot be reached. */
  state: ServerState | null = null;
  /** Why it cannot be reached. */
  problem = "it was not reached yet";
  /** Whether it did not answer in time, so that its open sessions would not either. */
  isSilent = false;
  #session: Session | null = null;
  #polling: Promise<void> | null = null;
  #isClosed = false;

  constructor(location: PostgresLocation) {
    this.location = location;
  }

  /** `HOST:PORT`. */
  get name(): string {
    return new URL(this.location.connectionString).host;
  }

  /** Polls once, together with all concurrent callers. It never fails: what is wrong is in `problem`. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollOnce().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  close(): void {
    this.#isClosed = true;
    this.#endSession();
  }

  #endSession(): void {
    this.#session?.close().catch(() => undefined);
    this.#session = null;
  }

  async #pollOnce(): Promise<void> {
    const startMs = performance.now();
    const wasConnected = this.#session?.isUsable === true;
    try {
      this.state = await this.#read();
      this.isSilent = false;
    } catch (error) {
      // Its timeout ends a poll. Timers are not exact.
      const isSilent = performance.now() - startMs > SERVER_SILENCE_MS / 2;
      // The session may have been ended alone, for example by an administrator.
      if (wasConnected && !isSilent && !this.#isClosed) return this.#pollOnce();
      this.isSilent = isSilent;
      this.state = null;
      this.problem = (error as Error).message;
    }
  }

  /** @throws LamplightError `STORE__UNREACHABLE` also where it was closed in the meantime */
  async #open(): Promise<Session> {
    const session = await Session.open(this.location, { role: "watch", replyTimeoutMs: SERVER_SILENCE_MS });
    if (!this.#isClosed) return session;
    await session.close();
    throw new LamplightError("STORE__UNREACHABLE", {
      store: this.location.name,
      reason: "its reader was closed",
    });
  }

  async #read(): Promise<ServerState> {
    if (this.#session?.isUsable !== true) {
      this.#endSession();
      this.#session = await this.#open();
    }
    const { schema } = this.location;
    try {
      const [row = []] = await this.#session.execute(
        `SELECT ${serverRoleColumns}, (SELECT slot FROM "${schema}".head WHERE id = 1)`,
      );
      const slot = (row[2] ?? null) as bigint | null;
      return { ...serverRoleOf(row), slot: slot === null ? null : Number(slot) };
    } catch (error) {
      if (isLamplightError(error) || !noSuchTable.includes(String((error as { code?: unknown }).code)))
        throw error;
      // The reader says what is missing.
      return { isStandby: false, isReadOnly: false, slot: null };
    }
  }
}
