import {
  answerFrom,
  type AnswerTo,
  type IndexReader,
  type ItemsOfState,
  type ReadKind,
  type ReadOf,
} from "@lamplight/core";
import { cancelled, type Session } from "../engine/session.ts";
import type { SnapshotHead } from "../queries/read-head.ts";
import { answers } from "./answers.ts";
import { createIndexReader } from "./index-reader.ts";
import { PostgresView, type Stop, type ViewParts } from "./postgres-view.ts";

/** The parts of a view with a transaction. */
interface TransactionParts extends ViewParts {
  readonly head: SnapshotHead;
}

/** The session of a view. It is in a transaction. */
interface TransactionSession {
  readonly session: Session;
  readonly stop: Stop;
  readonly giveBack: () => void;
}

/**
 * A view with a transaction, with bulk reads of the index at its slot, for filling a search index and for checks. It has
 * its session until `close` and the end of reads that still run: one of them may have failed the call.
 */
export class TransactionView extends PostgresView {
  readonly index: IndexReader;
  readonly #itemsOfState: () => Promise<ItemsOfState | null>;
  readonly #session: Session;
  readonly #stop: Stop;
  #giveBack: (() => void) | null;
  /** Reads that still run. */
  #users = 0;
  #isClosed = false;

  constructor(parts: TransactionParts, { session, stop, giveBack }: TransactionSession) {
    super(parts);
    this.#session = session;
    this.#stop = stop;
    this.#giveBack = giveBack;
    this.index = createIndexReader((body) => body(session), this.programs);
    this.#itemsOfState = async () => parts.caches.items.at(parts.head, session);
  }

  async read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    return answerFrom<PostgresView, Kind>(answers, this, asked);
  }

  itemsOfState(): Promise<ItemsOfState | null> {
    return this.#itemsOfState();
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
