import type { PostgresLocation } from "./location.ts";
import { Session } from "./session.ts";
import { CONNECT_TIMEOUT_MS, LOST_AFTER_LOOKS } from "./settings.ts";
import { passingStatement } from "./statement.ts";

/** Names a session of the server for good: numbers of processes come again. */
export interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

/** What a watch needs of a session. */
export interface Watched {
  /** False once it failed. */
  readonly isUsable: boolean;
  /** Whether the server owes it an answer. */
  readonly isAtWork: boolean;
  /** Answers so far. */
  readonly answers: number;
  /** Asks the server for nothing, so that it hears of us. */
  beat(): void;
  /** Ends the connection without a word. */
  abandon(): void;
}

export const readBackendSql =
  "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
const findState = passingStatement(
  "SELECT state FROM pg_stat_activity WHERE pid = $1::integer AND backend_start::text = $2",
);
/** A code of the server: anyone who answers is not gone. */
const sqlState = /^[0-9A-Z]{5}$/u;

/**
 * Looks after a session whose statements may take as long as they need: gives a sign of life while it is idle, and
 * where it waits for an answer, asks by another connection whether the server still works on one. A server that vanished
 * ends no statement and says nothing, and this side would wait as long as TCP sends again, a quarter of an hour.
 */
export class SessionWatch {
  readonly #location: PostgresLocation;
  readonly #session: Watched;
  readonly #backend: Backend;
  readonly #timer: NodeJS.Timeout;
  #answers = -1;
  #lostLooks = 0;
  #isLooking = false;

  constructor(location: PostgresLocation, session: Watched, backend: Backend, everyMs: number) {
    this.#location = location;
    this.#session = session;
    this.#backend = backend;
    this.#timer = setInterval(() => void this.#look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const session = this.#session;
    if (!session.isUsable || this.#isLooking) return;
    const isSilent = session.isAtWork && session.answers === this.#answers;
    this.#answers = session.answers;
    if (!session.isAtWork) session.beat();
    if (!isSilent) {
      this.#lostLooks = 0;
      return;
    }
    this.#isLooking = true;
    const isAnswering = await this.#isAnswering();
    this.#isLooking = false;
    this.#lostLooks = isAnswering || session.answers !== this.#answers ? 0 : this.#lostLooks + 1;
    if (this.#lostLooks >= LOST_AFTER_LOOKS) session.abandon();
  }

  /** Whether the server is at work for the session; also where it cannot say. */
  async #isAnswering(): Promise<boolean> {
    try {
      const beside = await Session.open(this.#location, {
        role: "reader",
        statementTimeoutMs: CONNECT_TIMEOUT_MS,
      });
      try {
        const row = await beside.get(findState, this.#backend.pid, this.#backend.startedAt);
        // One that waits for us got nothing of what we asked.
        return row !== undefined && !String(row[0]).startsWith("idle");
      } finally {
        await beside.close();
      }
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
      return typeof code === "string" && sqlState.test(code) && code !== "EPIPE";
    }
  }
}
