import {
  answerFrom,
  type Answers,
  type AnswerTo,
  type MaybePromise,
  type Read,
  type ReadKind,
  type ReadOf,
  NeedsSnapshot,
} from "@lamplight/core";
import { answers } from "./answers.ts";
import { type PointAnswer, type PointKind, readPoint } from "./point-reads.ts";
import { PostgresView, type ViewParts } from "./postgres-view.ts";
import type { RoundsLease } from "./session-lease.ts";
import type { SharedKnowledge } from "./shared-knowledge.ts";

/** A view without a transaction. It is opened with the answers to its first round. */
export class RoundsView extends PostgresView {
  readonly #lease: RoundsLease;
  readonly #shared: SharedKnowledge;
  readonly #first: ReadonlyMap<Read, PointAnswer["answer"]>;

  constructor(
    parts: ViewParts<RoundsLease>,
    shared: SharedKnowledge,
    first: ReadonlyMap<Read, PointAnswer["answer"]>,
  ) {
    super(parts);
    this.#lease = parts.lease;
    this.#shared = shared;
    this.#first = first;
  }

  read<Kind extends ReadKind>(asked: ReadOf<Kind>): MaybePromise<AnswerTo<Kind>> {
    const known = this.#first.get(asked as Read);
    return known === undefined ? answerFrom(roundsAnswers, this, asked) : (known as AnswerTo<Kind>);
  }

  /** The counter of documents is read only with a transaction. */
  async itemsOfState(): Promise<null> {
    return null;
  }

  /** @throws NeedsSnapshot also where one statement is not enough */
  async readPoint<Kind extends PointKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    const found = await this.#lease.lend((session) => readPoint(session, this.#shared, asked));
    if (found === null) throw new NeedsSnapshot();
    this.#lease.meet(found.head);
    return found.answer as AnswerTo<Kind>;
  }
}

const pointAnswer = <Kind extends PointKind>(
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
};
