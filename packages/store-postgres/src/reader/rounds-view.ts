import {
  answerFrom,
  type Answers,
  type AnswerTo,
  type Read,
  type ReadKind,
  type ReadOf,
  NeedsSnapshot,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import type { SessionPool } from "../engine/session-pool.ts";
import type { Session } from "../engine/session.ts";
import { readViewHead, type ViewHead } from "../queries/read-head.ts";
import { answers } from "./answers.ts";
import { type PointAnswer, type PointRead, readPoint } from "./point-reads.ts";
import { PostgresView, type Stop, type ViewParts } from "./postgres-view.ts";
import type { SharedCaches } from "./shared-caches.ts";

/**
 * A session for each round, without a transaction. Every round shows the head, which must stay that of the first.
 * Reads that are asked for together share a session.
 */
export class Rounds {
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

  #giveBack(): void {
    const session = this.#session;
    this.#session = null;
    this.#taking = null;
    if (session === null) return;
    session.renew();
    this.#pool.giveBack(session);
  }
}

/** A view without a transaction. It is opened with the answers to its first round. */
export class RoundsView extends PostgresView {
  readonly isUsable = true;
  readonly #rounds: Rounds;
  readonly #shared: SharedCaches;
  readonly #first: ReadonlyMap<Read, PointAnswer["answer"]>;

  constructor(
    parts: ViewParts,
    rounds: Rounds,
    shared: SharedCaches,
    first: ReadonlyMap<Read, PointAnswer["answer"]>,
  ) {
    super(parts);
    this.#rounds = rounds;
    this.#shared = shared;
    this.#first = first;
  }

  async read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    const known = this.#first.get(asked as Read);
    return known === undefined ? answerFrom(roundsAnswers, this, asked) : (known as AnswerTo<Kind>);
  }

  /** The head comes behind what is read: what lies between two equal heads is of one state. */
  use<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#rounds.lend(async (session) => {
      const found = await body(session);
      this.#rounds.meet(await readViewHead(session));
      return found;
    });
  }

  cancel(): void {
    this.#rounds.cancel();
  }

  /** Nothing is held between two rounds. */
  close(): void {}

  /** The counter of documents is read only with a transaction. */
  async itemsOfState(): Promise<null> {
    return null;
  }

  /** @throws NeedsSnapshot also where one statement is not enough */
  async readPoint<Kind extends PointRead["kind"]>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    const found = await this.#rounds.lend((session) => readPoint(session, this.#shared, asked));
    if (found === null) throw new NeedsSnapshot();
    this.#rounds.meet(found.head);
    return found.answer as AnswerTo<Kind>;
  }
}

const pointAnswer = <Kind extends PointRead["kind"]>(
  view: RoundsView,
  asked: ReadOf<Kind>,
): Promise<AnswerTo<Kind>> => view.readPoint(asked);

/** Other kinds are answered as with a transaction, and the head is read behind them. */
const roundsAnswers: Answers<RoundsView> = {
  ...answers,
  account: pointAnswer,
  accountWithMint: pointAnswer,
  asset: pointAnswer,
  delegated: pointAnswer,
  ledger: pointAnswer,
};

/** Documents belong to no slot, and may change in between. */
const isSame = (one: ViewHead, other: ViewHead): boolean =>
  one.slot === other.slot &&
  one.changeSeq === other.changeSeq &&
  one.nextOrdinal === other.nextOrdinal &&
  one.settingsRevision === other.settingsRevision &&
  one.writer === other.writer;
