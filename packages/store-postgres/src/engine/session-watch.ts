import type { PostgresLocation } from "./location.ts";
import { Session } from "./session.ts";
import { CONNECT_TIMEOUT_MS, LOST_AFTER_CHECKS } from "./settings.ts";
import { passingStatement } from "./statement.ts";
import type { Watched } from "./watched.ts";

/** Identifies a session of the server for good. Process numbers alone are reused. */
export interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

export const readBackendSql =
  "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
const findState = passingStatement(
  "SELECT state FROM pg_stat_activity WHERE pid = $1::integer AND backend_start::text = $2",
);
/** An error code proves that the server is reachable. */
const sqlState = /^[0-9A-Z]{5}$/u;

/**
 * Watches a session whose statements may take any time. While the session is idle, it sends signs of life. While an
 * answer is due, it asks over another connection whether the server still works on it. A server that vanished sends
 * nothing, and TCP would retry for a quarter of an hour.
 */
export class SessionWatch {
  readonly #location: PostgresLocation;
  readonly #session: Watched;
  readonly #backend: Backend;
  readonly #timer: NodeJS.Timeout;
  #answers = -1;
  #silentChecks = 0;
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
      this.#silentChecks = 0;
      return;
    }
    this.#isLooking = true;
    const isAnswering = await this.#isAnswering();
    this.#isLooking = false;
    this.#silentChecks = isAnswering || session.answers !== this.#answers ? 0 : this.#silentChecks + 1;
    if (this.#silentChecks >= LOST_AFTER_CHECKS) session.abandon();
  }

  /** Whether the server works for the session; also true where it does not know. */
  async #isAnswering(): Promise<boolean> {
    try {
      const second = await Session.open(this.#location, {
        role: "reader",
        statementTimeoutMs: CONNECT_TIMEOUT_MS,
      });
      try {
        const row = await second.get(findState, this.#backend.pid, this.#backend.startedAt);
        // A session that waits for us did not receive our statement.
        return row !== undefined && !String(row[0]).startsWith("idle");
      } finally {
        await second.close();
      }
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
      return typeof code === "string" && sqlState.test(code) && code !== "EPIPE";
    }
  }
}
