import { isLamplightError } from "@lamplight/errors";
import { NeedsSnapshot } from "@lamplight/core";
import type { SessionPool } from "../engine/session-pool.ts";
import { cancelled, type Session } from "../engine/session.ts";
import { readViewHead, type ViewHead } from "../queries/read-head.ts";

/**
 * The access of a view to the store. All reads of one lease see one state of the chain. Off-chain documents belong to no
 * slot, and may change between two rounds without a transaction.
 */
export interface SessionLease {
  /**
   * @throws NeedsSnapshot of a lease without a transaction
   * @throws LamplightError of the STORE family
   */
  use<Result>(body: (session: Session) => Promise<Result>): Promise<Result>;
  /** Whether more can be read after an error. */
  readonly isUsable: boolean;
  cancel(): void;
  close(): void;
}

/** Cancels the running statement of a session. */
export type Stop = (session: Session) => void;

/** A session in a transaction, until `close` and the end of reads that still run: one of them may have failed the call. */
export class TransactionLease implements SessionLease {
  readonly #session: Session;
  readonly #stop: Stop;
  #giveBack: (() => void) | null;
  /** Reads that still run. */
  #users = 0;
  #isClosed = false;

  constructor(session: Session, stop: Stop, giveBack: () => void) {
    this.#session = session;
    this.#stop = stop;
    this.#giveBack = giveBack;
  }

  async use<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw cancelled();
    this.#users += 1;
    try {
      return await body(this.#session);
    } finally {
      this.#users -= 1;
      this.#endWhenUnused();
    }
  }

  get isUsable(): boolean {
    return this.#session.isUsable;
  }

  cancel(): void {
    if (this.#giveBack !== null && this.#session.cancel()) this.#stop(this.#session);
  }

  close(): void {
    this.#isClosed = true;
    this.#endWhenUnused();
  }

  #endWhenUnused(): void {
    const giveBack = this.#giveBack;
    if (!this.#isClosed || this.#users > 0 || giveBack === null) return;
    this.#giveBack = null;
    this.#session.renew();
    void endTransaction(this.#session).then(giveBack);
  }
}

/** A session that cannot do that is closed. */
export const endTransaction = async (session: Session): Promise<void> => {
  await session.commit().catch(() => undefined);
};

/**
 * A session for each round, without a transaction. Every round shows the head, which must stay that of the first.
 * Reads that are asked for together share a session.
 */
export class RoundsLease implements SessionLease {
  readonly isUsable = true;
  readonly #pool: SessionPool;
  readonly #stop: Stop;
  #head: ViewHead | null = null;
  #taking: Promise<Session> | null = null;
  #session: Session | null = null;
  #users = 0;
  #isCancelled = false;

  constructor(pool: SessionPool, stop: Stop) {
    this.#pool = pool;
    this.#stop = stop;
  }

  /** The head comes behind what is read: what lies between two equal heads is of one state. */
  use<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return this.lend(async (session) => {
      const found = await body(session);
      this.meet(await readViewHead(session));
      return found;
    });
  }

  /** Lends a session for statements that bring the head with their answer. The body passes it to `meet`. */
  async lend<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    this.#users += 1;
    try {
      this.#session ??= await (this.#taking ??= this.#pool.take());
      if (this.#isCancelled) this.#session.cancel();
      return await body(this.#session);
    } catch (error) {
      // An idle session may be of a server that was restarted, or is no longer read, since.
      const isLost = isLamplightError(error, "STORE__UNREACHABLE") || this.#pool.isClosed;
      const mayBeOld = this.#head !== null && isLost;
      throw mayBeOld ? new NeedsSnapshot() : error;
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#giveBack();
    }
  }

  /** @throws NeedsSnapshot where an earlier round was of another state */
  meet(head: ViewHead): void {
    this.#head ??= head;
    if (!isSame(this.#head, head)) throw new NeedsSnapshot();
  }

  cancel(): void {
    this.#isCancelled = true;
    if (this.#session?.cancel() === true) this.#stop(this.#session);
  }

  close(): void {}

  #giveBack(): void {
    const session = this.#session;
    this.#session = null;
    this.#taking = null;
    if (session === null) return;
    session.renew();
    this.#pool.giveBack(session);
  }
}

const isSame = (one: ViewHead, other: ViewHead): boolean =>
  one.slot === other.slot &&
  one.changeSeq === other.changeSeq &&
  one.nextOrdinal === other.nextOrdinal &&
  one.settingsRevision === other.settingsRevision &&
  one.writer === other.writer;
