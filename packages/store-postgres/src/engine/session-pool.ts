import { storeTallies } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Session } from "./session.ts";
import { BackOff } from "./back-off.ts";
import { VIEW_QUEUE_MAX } from "./settings.ts";

export interface SessionPoolOptions {
  readonly open: () => Promise<Session>;
  /** Sessions that can be in use at once. */
  readonly sessionsMax: number;
  /** Sessions that are kept while no one uses them; default `sessionsMax`. */
  readonly idleMax?: number;
  /** Milliseconds for which a caller waits for a session. */
  readonly waitMs: number;
}

interface Waiting {
  readonly serve: (session: Session) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * A bounded number of sessions, created when needed and reused. Failed ones are closed. While a server is
 * unreachable, attempts become rarer, for any number of callers, and callers get the error at once.
 */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #idle: Session[] = [];
  readonly #waiting = new Set<Waiting>();
  readonly #opening = new BackOff();
  /** All open ones. */
  readonly #open = new Set<Session>();
  #sessions = 0;
  #closed = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** @throws LamplightError `STORE__BUSY` past the deadline, `STORE__UNREACHABLE` */
  async take(): Promise<Session> {
    if (this.#closed) throw this.#busy();
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isUsable) return idle;
      this.#letGo(idle);
    }
    return this.#sessions < this.#options.sessionsMax ? this.#openOne() : this.#wait();
  }

  giveBack(session: Session): void {
    if (this.#closed || !session.isUsable) {
      this.#letGo(session);
      this.#openForWaiting();
      return;
    }
    const next = this.#waiting.values().next().value;
    if (next !== undefined) next.serve(session);
    else if (this.#idle.length < (this.#options.idleMax ?? Infinity)) this.#idle.push(session);
    else this.#letGo(session);
  }

  /** Closes idle sessions now, and the others when they are returned. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting) waiting.refuse(this.#busy());
    for (const session of this.#idle.splice(0)) this.#letGo(session);
  }

  /** Closes it, and fails all that runs: the server does not answer any more. */
  abandon(): void {
    this.close();
    for (const session of this.#open) session.abandon();
  }

  async #openOne(): Promise<Session> {
    this.#sessions += 1;
    try {
      const session = await this.#opening.attempt(this.#options.open);
      this.#open.add(session);
      storeTallies.sessions += 1;
      storeTallies.sessionsOpened += 1;
      return session;
    } catch (error) {
      storeTallies.sessionFailures += 1;
      this.#sessions -= 1;
      throw error;
    }
  }

  #letGo(session: Session): void {
    this.#sessions -= 1;
    if (this.#open.delete(session)) storeTallies.sessions -= 1;
    // The server may be gone already, so an error of the goodbye is ignored.
    session.close().catch(() => undefined);
  }

  /** A failed session leaves a free place for the first caller in the queue, who gets the error of a new attempt. */
  #openForWaiting(): void {
    const next = this.#waiting.values().next().value;
    if (next === undefined || this.#closed) return;
    this.#waiting.delete(next);
    this.#openOne().then(next.serve, next.refuse);
  }

  #wait(): Promise<Session> {
    if (this.#waiting.size >= VIEW_QUEUE_MAX) throw this.#busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(deadline);
        this.#waiting.delete(waiting);
      };
      storeTallies.sessionWaits += 1;
      const deadline = setTimeout(() => {
        storeTallies.sessionTimeouts += 1;
        waiting.refuse(this.#busy());
      }, this.#options.waitMs);
      let isDone = false;
      const waiting: Waiting = {
        serve: (session) => {
          leave();
          if (isDone) this.giveBack(session);
          else resolve(session);
          isDone = true;
        },
        refuse: (error) => {
          leave();
          isDone = true;
          reject(error as Error);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  #busy(): LamplightError {
    return new LamplightError("STORE__BUSY", { limit: this.#options.sessionsMax });
  }
}
